// The page in a notebook: a frame of its own, whose state and that of the widget follow each other.

/** @param {{model: any, el: HTMLElement}} notebook */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = model.get("title");
  frame.style.cssText = `width:100%;height:${model.get("height")}px;border:0`;
  const traits = { evidence: {}, do: {}, variable: null, view: "network" };
  const asked = () => Object.fromEntries(Object.keys(traits).map((trait) => [trait, model.get(trait)]));
  const ask = () => frame.contentWindow?.dispatchEvent(new CustomEvent("qnml-ask", { detail: asked() }));
  const take = (event) => {
    const shown = { ...traits, ...event.detail };
    const changed = Object.keys(traits).filter((trait) => JSON.stringify(shown[trait]) !== JSON.stringify(model.get(trait)));
    for (const trait of changed) model.set(trait, shown[trait]);
    if (changed.length) model.save_changes();
  };
  frame.addEventListener("load", () => {
    frame.contentWindow?.addEventListener("qnml-shown", take);
    ask();
  });
  for (const trait of Object.keys(traits)) model.on(`change:${trait}`, ask);
  model.on("change:page", () => (frame.srcdoc = model.get("page")));
  frame.srcdoc = model.get("page");
  el.replaceChildren(frame);
  return () => {
    for (const trait of Object.keys(traits)) model.off(`change:${trait}`, ask);
  };
}

export default { render };
