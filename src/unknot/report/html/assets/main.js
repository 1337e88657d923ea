// Fills the sections of the page.

readColours();
document.querySelector("body > header").append(makeThemeButton());
document.body.append(liveRegion);
document.querySelector("main").after(drawer);
const graphSection = document.getElementById("graph");
if (graphSection) new Graph(graphSection);
new Table(document.getElementById("tests"));
if (size > 1) new Matrix(document.getElementById("pairs"));

function chooseByAddress() {
  const [, test] = location.hash.match(/^#test-(\d+)$/) || [];
  if (test !== undefined && Number(test) < size && Number(test) !== choice.test) choose(Number(test), null);
}
window.addEventListener("hashchange", chooseByAddress);
chooseByAddress();
