"""pagekit as one site.

Reference
    M. Biagiola, A. Stocco, F. Ricca, P. Tonella, "Diversity-based web test generation", ESEC/FSE 2019. The pages,
    actions and parameters are those of the study's hand-written page objects, and so is which actions have guards;
    values, guards and what happens are our reading.
"""

from unknot.web.simulated.pagekit.page_forms import PageForms
from unknot.web.simulated.pagekit.places import DASHBOARD
from unknot.web.simulated.pagekit.users import UsersArea
from unknot.web.simulated.pagekit.widget_forms import WidgetForms


class Pagekit(UsersArea, PageForms, WidgetForms):
    """The administrator has signed in; there is nothing but the administrator, the built-in roles and menus.

    Two of the 214 published transitions are never possible: the dialog before a deletion leads back to the list of
    pages, but no published action opens it there.
    """

    start = DASHBOARD
