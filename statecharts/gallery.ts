/** All pictures on one page that opens from the disk: each with the rows it carries and the table of its edges. */
import { ROWS, type RowId } from '../machines/rows.ts'
import { type Chart, type ChartEdge, drawnEdges, edgesOf } from './chart.ts'
import { cssClass } from './css-class.ts'
import { GALLERY_STYLE } from './gallery-style.ts'
import { element, escapeXml, lines } from './markup.ts'
import { actionsText, guardText } from './notation.ts'

export interface Exhibit {
  chart: Chart
  svg: string
}

/**
 * Shows the middle of pictures that do not fit, and lights up in a picture what the pointer rests on in the lists.
 */
const SCRIPT = `
for (const figure of document.querySelectorAll('figure')) {
  figure.scrollLeft = (figure.scrollWidth - figure.clientWidth) / 2
}
for (const item of document.querySelectorAll('[data-lights]')) {
  const section = item.closest('section')
  const lit = item.dataset.lights.split(' ').flatMap(name => [...section.getElementsByClassName(name)])
  const toggle = on => () => lit.forEach(part => part.classList.toggle('active', on))
  item.addEventListener('pointerenter', toggle(true))
  item.addEventListener('pointerleave', toggle(false))
}
`

const text = (name: string, content: string) => `<${name}>${escapeXml(content)}</${name}>`

const code = (content: string) => (content === '' ? '' : text('code', content))

const lightsOf = (machine: string, edges: readonly ChartEdge[]) => {
  const drawn = drawnEdges(edges).map(({ source, event, target }) => cssClass(machine, source, event, target))
  return drawn.length === 0 ? {} : { class: 'lights', 'data-lights': [...new Set(drawn)].join(' ') }
}

const edgeRow = (machine: string, edge: ChartEdge) => {
  const cells = [edge.source || 'anywhere', edge.event, guardText(edge), actionsText(edge), edge.target ?? 'stays']
  const why = [...(edge.rows ?? []).map(code), escapeXml(edge.reason ?? '')].filter(part => part !== '').join('<br>')
  return element('tr', lightsOf(machine, [edge]), [...cells.map(code), why].map(cell => `<td>${cell}</td>`).join(''))
}

const COLUMNS = ['From', 'Event', 'Guard', 'Actions', 'To', 'Why']

const table = (machine: string, edges: readonly ChartEdge[]) =>
  element(
    'div',
    { class: 'wide' },
    lines(
      '<table>',
      `<thead><tr>${COLUMNS.map(column => `<th scope="col">${column}</th>`).join('')}</tr></thead>`,
      '<tbody>',
      edges.map(edge => edgeRow(machine, edge)),
      '</tbody>',
      '</table>',
    ),
  )

const rowList = (machine: string, edges: readonly ChartEdge[]) => {
  const cited = (Object.keys(ROWS) as RowId[]).filter(row => edges.some(({ rows = [] }) => rows.includes(row)))
  if (cited.length === 0) return '<p>None.</p>'
  const items = cited.flatMap(row => {
    const lights = lightsOf(
      machine,
      edges.filter(({ rows = [] }) => rows.includes(row)),
    )
    return [text('dt', row), element('dd', lights, escapeXml(ROWS[row]))]
  })
  return element('dl', {}, lines(items))
}

const section = ({ chart, svg }: Exhibit) => {
  const { machine, root } = chart
  const edges = edgesOf(chart)
  const strays = edges.filter(({ stray }) => stray)
  const file = (extension: string) => `<a href="${machine}.${extension}">${extension}</a>`
  return element(
    'section',
    { id: machine, 'aria-labelledby': `${machine}-name` },
    lines(
      element('h2', { id: `${machine}-name` }, escapeXml(machine)),
      text('p', root.description),
      `<p class="files">${['svg', 'mmd', 'json'].map(file).join(' · ')}</p>`,
      `<figure tabindex="0" aria-label="Picture of ${machine}">\n${svg}</figure>`,
      '<h3>Rows of the contract</h3>',
      rowList(machine, edges),
      '<h3>Edges</h3>',
      table(machine, drawnEdges(edges)),
      strays.length === 0 ? '' : `<details>\n<summary>${strays.length} events that come too late</summary>`,
      strays.length === 0 ? '' : lines(table(machine, strays), '</details>'),
    ),
  )
}

export const galleryOf = (exhibits: readonly Exhibit[]) => {
  const links = exhibits.map(({ chart: { machine } }) => `<li><a href="#${machine}">${machine}</a></li>`)
  return `${lines(
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>svc: statecharts</title>',
    `<style>${GALLERY_STYLE}</style>`,
    '</head>',
    '<body>',
    '<header>',
    '<h1>Statecharts</h1>',
    '<p>What can happen in svc. Every edge cites the row of the contract that it carries, or says why it is there.</p>',
    `<nav aria-label="Machines">\n${element('ul', {}, lines(links))}\n</nav>`,
    '<p class="legend">Thick and filled: in flight, never repeated after a crash. Double border: final. Green: the way of a success. ' +
      '<code>event [guard] / actions</code> on an arrow; the same inside a box is taken without leaving it; ' +
      '<code>do /</code> names the port at work. Rest the pointer on anything to read why it is there.</p>',
    '</header>',
    '<main>',
    exhibits.map(section),
    '</main>',
    `<script>${SCRIPT}</script>`,
    '</body>',
    '</html>',
  )}\n`
}
