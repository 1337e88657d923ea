// Fills the page.

readColours();
document.querySelector("body > header").append(makeThemeButton());
document.body.append(liveRegion);
document.querySelector("main").after(makeDrawer());
followLinks();
const graphSection = document.getElementById("graph");
if (graphSection) new SiteMap(graphSection, JSON.parse(document.getElementById("data").textContent));
window.addEventListener("hashchange", chooseByAddress);
chooseByAddress();
