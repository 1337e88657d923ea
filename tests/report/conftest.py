"""Results to write and read."""

from result_values import any_dependencies as any_dependencies
from result_values import hostile as hostile
from result_values import ids as ids
from result_values import nasty as nasty
from result_values import small as small
