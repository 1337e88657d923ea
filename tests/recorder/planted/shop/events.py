"""What has happened."""

LOG = []
