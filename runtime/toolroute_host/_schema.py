"""The tables of a host's store, a list of statements for each version of the format.

`owner` is an agent's name, or the empty text for what is the host's own. Times are
seconds since 1970, by the wall clock, since they must mean the same after a restart.
"""

from typing import Final

_FIRST: Final = (
    """
    CREATE TABLE notes (
        id INTEGER PRIMARY KEY,
        owner TEXT NOT NULL,
        verb TEXT NOT NULL,
        content TEXT NOT NULL,
        at REAL NOT NULL
    )
    """,
    """
    CREATE TABLE settings (
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        value TEXT NOT NULL,
        PRIMARY KEY (owner, name)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE open_toolsets (
        owner TEXT NOT NULL,
        toolset TEXT NOT NULL,
        PRIMARY KEY (owner, toolset)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE channel_states (
        owner TEXT NOT NULL,
        channel TEXT NOT NULL,
        state TEXT NOT NULL,
        PRIMARY KEY (owner, channel)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE channel_messages (
        id INTEGER PRIMARY KEY,
        channel TEXT NOT NULL,
        author TEXT NOT NULL,
        content TEXT NOT NULL,
        at REAL NOT NULL
    )
    """,
    "CREATE INDEX channel_messages_by_channel ON channel_messages (channel, id)",
    """
    CREATE TABLE deadlines (
        owner TEXT NOT NULL,
        purpose TEXT NOT NULL,
        at REAL NOT NULL,
        note TEXT,
        PRIMARY KEY (owner, purpose)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE rules (
        owner TEXT NOT NULL,
        name TEXT NOT NULL,
        place REAL NOT NULL,
        rule TEXT NOT NULL,
        PRIMARY KEY (owner, name)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE drafts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        channel TEXT,
        content TEXT NOT NULL,
        at REAL NOT NULL
    )
    """,
    """
    CREATE TABLE quiet (
        owner TEXT NOT NULL,
        purpose TEXT NOT NULL,
        channel TEXT NOT NULL,
        until REAL,
        PRIMARY KEY (owner, purpose, channel)
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE images (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        media_type TEXT NOT NULL,
        data BLOB NOT NULL
    )
    """,
    "CREATE INDEX images_by_owner ON images (owner, id)",
    """
    CREATE TABLE refs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        url TEXT NOT NULL,
        title TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE messages (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        message TEXT NOT NULL
    )
    """,
    "CREATE INDEX messages_by_owner ON messages (owner, id)",
    """
    CREATE TABLE forks (
        name TEXT PRIMARY KEY,
        parent TEXT NOT NULL,
        home TEXT NOT NULL
    ) WITHOUT ROWID
    """,
    """
    CREATE TABLE unfinished_rounds (
        key TEXT PRIMARY KEY,
        owner TEXT NOT NULL,
        message TEXT NOT NULL,
        calls TEXT NOT NULL
    ) WITHOUT ROWID
    """,
)

_SECOND: Final = (
    """
    CREATE TABLE call_ids (
        owner TEXT NOT NULL,
        id TEXT NOT NULL,
        PRIMARY KEY (owner, id)
    ) WITHOUT ROWID
    """,
    """
    INSERT OR IGNORE INTO call_ids
    SELECT owner, json_extract(block, '$.id') FROM (
        SELECT owner, iif(each.type = 'object', each.value, '{}') AS block
        FROM messages, json_each(message, '$.content') AS each
    ) WHERE json_extract(block, '$.type') = 'tool_use'
    """,
)

_THIRD: Final = (
    """
    CREATE TABLE scripts (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner TEXT NOT NULL,
        host TEXT NOT NULL,
        state TEXT NOT NULL,
        output TEXT NOT NULL,
        error TEXT
    )
    """,
)

MIGRATIONS: Final = (_FIRST, _SECOND, _THIRD)
"""Version 1 is the first; each later entry turns the one before it into its own."""
