"""Seconds in words."""


def duration(seconds: float) -> str:
    """Three digits or so, whatever the size.

    >>> [duration(seconds) for seconds in (0, 0.0123, 1.234, 41.27, 754.6, 11_100)]
    ['0 s', '12 ms', '1.23 s', '41.3 s', '12 min 35 s', '3 h 05 min']
    """
    if seconds < 0.0995:
        milliseconds = seconds * 1000
        return "0 s" if not milliseconds else f"{milliseconds:.0f} ms" if milliseconds >= 1 else "under 1 ms"
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 119.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 7200:
        return f"{whole // 60} min {whole % 60:02} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60:02} min"
