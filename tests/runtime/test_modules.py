"""A module's calls."""

from typing import Any

import pytest
from made_up_time import run
from runtime_house import House, call, text, texts, well

from toolroute import ProtocolError, ToolResult
from toolroute.runtime import MemoryLedger, Wanted


def test_a_modules_call_sees_nobodys_capabilities_but_the_hosts_own() -> None:
    house = House({"a": lambda route, _: ToolResult(route.capability)})
    house.capabilities |= {"ada": "adas", None: "the hosts"}

    async def main() -> list[Any]:
        module = house.runtime().module("m")
        return texts(
            [await module.call(call("a"), agent="ada"), await module.call(call("a"))]
        )

    assert run(main()) == ["the hosts", "the hosts"]


def test_guards_get_the_agent_that_a_module_names_and_can_only_refuse() -> None:
    house = House({"a": well}, guarded={"ada"})

    async def main() -> list[Any]:
        module = house.runtime().module("m")
        return texts(
            [
                await module.call(call("a"), agent="ada"),
                await module.call(call("a"), agent="bob"),
                await module.call(call("a")),
            ]
        )

    assert run(main()) == ["TOOL_REFUSED", "a is done", "a is done"]
    assert house.checked == [("ada", "a"), ("bob", "a"), (None, "a")]


def test_a_modules_handle_is_made_once_and_is_nobody_elses() -> None:
    async def main() -> None:
        runtime = House({"a": well}).runtime()
        weather = runtime.module("weather")
        with pytest.raises(ProtocolError, match="weather is registered already"):
            runtime.module("weather")
        with pytest.raises(AttributeError):
            weather.name = "notes"  # type: ignore[misc]
        assert (weather.name, runtime.module("notes").name) == ("weather", "notes")
        weather.close()
        weather.close()
        with pytest.raises(ProtocolError, match="weather was unregistered"):
            await weather.call(call("a"))
        assert text(await runtime.module("weather").call(call("a"))) == "a is done"

    run(main())


def test_the_ledger_says_which_module_called_and_whom_it_named() -> None:
    ledger = MemoryLedger()

    async def main() -> None:
        runtime = House({"a": well}).runtime(ledger=ledger)
        await runtime.module("m").call(call("a"), agent="ada")
        await runtime.host("ada").call(call("a"))

    run(main())
    assert [
        (e.opened.road, e.opened.caller, e.opened.module, e.opened.agent)
        for e in ledger.find(Wanted())
    ] == [("module", "module", "m", "ada"), ("host", "host", None, "ada")]
