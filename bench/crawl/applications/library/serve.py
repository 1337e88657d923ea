"""`python serve.py DIRECTORY PORT`: the library of examples/webapp, with the people and books that it begins with."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples" / "webapp"))

from library.server import serving

if __name__ == "__main__":
    serving(Path(sys.argv[1]) / "library.db", int(sys.argv[2])).serve_forever()
