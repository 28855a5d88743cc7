"use strict";
// Sorting, filtering and opening rows. Every table is complete without this script.
(() => {
  const rowsOf = (table) => table.tBodies.length > 1 ? [...table.tBodies] : [...table.tBodies[0].rows];

  const keyOf = (row, column, head) => {
    const cell = (row.cells ? row : row.rows[0]).cells[column];
    if (head.dataset.order) return head.dataset.order.split(" ").indexOf(cell.textContent.trim());
    if (head.hasAttribute("data-n")) return parseFloat(cell.dataset.v ?? cell.textContent.replace(/,/g, ""));
    return cell.textContent.trim().toLowerCase();
  };

  const sortBy = (table, head) => {
    const column = head.cellIndex;
    const first = head.hasAttribute("data-n") ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const direction = head.getAttribute("aria-sort") === first ? other : first;
    for (const cell of head.parentNode.cells) cell.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", direction);
    const sign = direction === "ascending" ? 1 : -1;
    const keyed = rowsOf(table).map((row) => [keyOf(row, column, head), row]);
    keyed.sort(([a], [b]) => (a < b ? -sign : a > b ? sign : 0));
    const parent = keyed[0][1].parentNode;
    parent.append(...keyed.map(([, row]) => row));
  };

  for (const table of document.querySelectorAll("table[data-sortable]")) {
    for (const head of table.tHead.rows[0].cells) {
      if (head.hasAttribute("data-fixed")) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sortBy(table, head));
    }
  }

  const filters = new Map();
  for (const controls of document.querySelectorAll(".controls")) {
    const table = document.getElementById(controls.dataset.for);
    const rows = rowsOf(table).map((row) => ({ row, text: null }));
    const search = controls.querySelector("input");
    const selects = [...controls.querySelectorAll("select")];
    const apply = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const entry of rows) {
        let keep = selects.every((s) => !s.value || entry.row.dataset[s.dataset.key].split(" ").includes(s.value));
        if (keep && words.length) {
          entry.text ??= entry.row.textContent.toLowerCase();
          keep = words.every((word) => entry.text.includes(word));
        }
        entry.row.hidden = !keep;
        shown += keep;
      }
      controls.querySelector("output").value =
        shown === rows.length ? "" : `${shown.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
    };
    const clear = () => {
      search.value = "";
      for (const select of selects) select.value = "";
      apply();
    };
    let waiting = 0;
    search.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, 120); });
    for (const select of selects) select.addEventListener("change", apply);
    controls.querySelector("[data-clear]").addEventListener("click", clear);
    const open = controls.querySelector("[data-open]");
    open?.addEventListener("click", () => {
      const opening = open.textContent === "Open all";
      for (const { row } of rows) if (!row.hidden) row.querySelector("details").open = opening;
      open.textContent = opening ? "Close all" : "Open all";
    });
    controls.hidden = false;
    filters.set(table.id, { search, selects, apply, clear });
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-find]");
    const filter = filters.get("findings-table");
    if (!link || !filter) return;
    event.preventDefault();
    filter.clear();
    filter.search.value = link.dataset.find;
    filter.apply();
    document.getElementById("findings").scrollIntoView();
    filter.search.focus({ preventScroll: true });
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-filter]");
    const filter = link && filters.get(link.dataset.filter);
    if (!filter) return;
    event.preventDefault();
    filter.clear();
    filter.selects.find((s) => s.dataset.key === "d").value = link.dataset.value;
    filter.apply();
    document.getElementById(link.dataset.filter).closest("section").scrollIntoView();
    filter.search.focus({ preventScroll: true });
  });

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
    if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const search = document.querySelector("input[data-slash]");
    if (!search) return;
    event.preventDefault();
    search.scrollIntoView({ block: "center" });
    search.focus();
  });

  const land = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    const row = target.closest("tbody.f, tr") ?? target;
    if (row.hidden) filters.get(row.closest("table").id).clear();
    const details = target.matches("tbody.f") ? target.querySelector("details") : target.closest("details");
    for (let one = details; one; one = one.parentElement.closest("details")) one.open = true;
    target.scrollIntoView();
  };
  addEventListener("hashchange", land);
  land();
})();
