"""Worker slots: processes of this machine or of a dask cluster that run orders."""
