"""Generated modules as snapshots, each beside the table that it comes from.

`pytest tests/codegen/test_accepted.py --snapshot-update` renews them.
"""

from pathlib import Path

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

ACCEPTED = Path(__file__).with_name("accepted")


class BesideItsTable(SingleFileSnapshotExtension):
    """`accepted/NAME.py`, for the test of `NAME`."""

    _write_mode = WriteMode.TEXT
    file_extension = "py"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        del test_location
        return str(ACCEPTED)

    @classmethod
    def get_file_basename(
        cls, *, test_location: PyTestLocation, index: SnapshotIndex
    ) -> str:
        del index
        return test_location.snapshot_name.partition("[")[2].removesuffix("]")

    @classmethod
    def matches_test_location(
        cls, *, test_location: PyTestLocation, snapshot_location: str
    ) -> bool:
        name = cls.get_file_basename(test_location=test_location, index=0)
        return Path(snapshot_location).stem == name
