"""routes.yaml in, one typed dispatch module out."""
