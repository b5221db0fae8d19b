/** The look of the gallery page. */

const LIGHT = '--page: #fbfbfc; --ink: #1c2430; --muted: #566173; --rule: #dfe3e8; --mark: #eaf2ff; --link: #0b5cc4'
const DARK = '--page: #101318; --ink: #e8ecf2; --muted: #a2aebf; --rule: #2b323d; --mark: #172a45; --link: #7db7ff'

export const GALLERY_STYLE = `
:root { color-scheme: light dark; ${LIGHT} }
@media (prefers-color-scheme: dark) { :root { ${DARK} } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1400px; padding: 2.5rem 1.5rem 5rem; background: var(--page); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif }
h1 { font-size: 1.7rem; margin: 0 0 .4rem }
h2 { font-size: 1.25rem; margin: 0 }
h3 { font-size: 1rem; margin: 1.8rem 0 .5rem }
p { margin: .3rem 0; max-width: 72ch }
a { color: var(--link) }
a:focus-visible, summary:focus-visible, figure:focus-visible { outline: 2px solid var(--link); outline-offset: 3px }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; list-style: none; padding: 0; margin: 1rem 0 }
.legend { color: var(--muted); font-size: .9rem }
section { border-top: 1px solid var(--rule); margin-top: 2.5rem; padding-top: 1.6rem; scroll-margin-top: 1rem }
.files { color: var(--muted); font-size: .9rem }
figure { margin: 1.2rem 0; overflow-x: auto; border: 1px solid var(--rule); border-radius: 10px; padding: 1rem;
  background: #fff }
@media (prefers-color-scheme: dark) { figure { background: #14181f } }
figure svg { display: block; max-width: 100%; height: auto; margin: 0 auto }
@media (max-width: 1280px) { figure svg { max-width: none } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.2rem; margin: 0 }
dt, code { font: .86em/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
dd { margin: 0 }
@media (max-width: 700px) { dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .88rem }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--rule) }
th { color: var(--muted); font-weight: 600; white-space: nowrap }
td:not(:last-child) { white-space: nowrap }
td:last-child { min-width: 16rem }
.lights:hover { background: var(--mark) }
summary { cursor: pointer; color: var(--muted); margin-top: 1rem }
`
