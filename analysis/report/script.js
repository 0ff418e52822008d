// Filters, searches and sorts the claims of a study. Without this script the page shows all of them
// in the paper's order.
for (const controls of document.querySelectorAll(".controls")) {
  const section = controls.parentElement;
  const claims = [...section.querySelectorAll(".claim")];
  const groups = [...new Set(claims.map((claim) => claim.parentElement))];
  const groupOf = new Map(claims.map((claim) => [claim, claim.parentElement]));
  const sortedGroup = section.appendChild(document.createElement("div"));
  const { words, order, evidence, shown } = controls.elements;
  const verdicts = [...controls.querySelectorAll("[name=verdict]")];
  const rank = (claim) => verdicts.findIndex((box) => box.value === claim.dataset.verdict);
  const name = (claim) => claim.querySelector("h4").textContent.replace(/^\S+\s+/, "");
  const orders = {
    verdict: (a, b) => rank(a) - rank(b),
    name: (a, b) => name(a).localeCompare(name(b)),
  };

  const arrange = () => {
    const compare = orders[order.value];
    const arranged = compare ? claims.toSorted(compare) : claims;
    for (const claim of arranged) (compare ? sortedGroup : groupOf.get(claim)).append(claim);
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const claim of claims) {
      const text = claim.textContent.toLowerCase();
      claim.hidden = !verdicts[rank(claim)].checked || !wanted.every((word) => text.includes(word));
      count += !claim.hidden;
    }
    for (const group of groups) group.hidden = !group.querySelector(".claim:not([hidden])");
    shown.value = `${count} of ${claims.length} claims`;
  };
  controls.addEventListener("input", arrange);
  controls.addEventListener("submit", (event) => event.preventDefault());
  evidence.addEventListener("input", () => {
    for (const details of section.querySelectorAll("details")) details.open = evidence.checked;
  });

  // A link to a claim shows it with its evidence.
  const follow = () => {
    const claim = claims.find((each) => "#" + each.id === decodeURIComponent(location.hash));
    if (!claim) return;
    if (claim.hidden) {
      controls.reset();
      arrange();
    }
    claim.querySelector("details").open = true;
    claim.scrollIntoView();
  };
  addEventListener("hashchange", follow);
  controls.hidden = false;
  arrange();
  follow();
}
