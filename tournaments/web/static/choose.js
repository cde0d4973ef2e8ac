/* The entry of a folder, where no server picks the language: the browser's first choice
   that there is. */

const links = [...document.querySelectorAll("a[hreflang]")];
for (const wanted of navigator.languages) {
  const link = links.find(({ hreflang }) => hreflang === wanted.split("-")[0]);
  if (link) {
    location.replace(link.href);
    break;
  }
}
