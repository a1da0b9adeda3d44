"""The embedded host: handlers behind every route of the root `routes.yaml`."""
