"""The web pages of tournaments: live from a server, or as a static folder."""
