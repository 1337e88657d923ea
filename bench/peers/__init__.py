"""The same planted suite through unknot and other tools."""
