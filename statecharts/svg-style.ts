/** The look of a picture: one palette for light pages and one for dark ones. */
import { TEXT_PX } from './text-size.ts'

const LIGHT = {
  paper: '#ffffff',
  card: '#ffffff',
  group: '#f7f8fa',
  pill: '#f0f2f5',
  line: '#6b7684',
  ink: '#1c2430',
  guard: '#7a4a00',
  action: '#47566b',
  flight: '#fff3d9',
  flightGroup: '#fffaf0',
  flightLine: '#c08a2e',
  way: '#1f7a3a',
  active: '#dcebff',
  activeLine: '#0b62d6',
}

const DARK: typeof LIGHT = {
  paper: '#14181f',
  card: '#1d232d',
  group: '#191e26',
  pill: '#242b36',
  line: '#8591a3',
  ink: '#e8ecf2',
  guard: '#e6b566',
  action: '#b3bfce',
  flight: '#3a2f1a',
  flightGroup: '#1f1c18',
  flightLine: '#d19a3c',
  way: '#5fc583',
  active: '#12335f',
  activeLine: '#6cb0ff',
}

const colours = (c: typeof LIGHT) => `
.statechart .paper { fill: ${c.paper} }
.statechart text, .statechart .dot { fill: ${c.ink} }
.statechart .guard { fill: ${c.guard} }
.statechart .action { fill: ${c.action} }
.statechart .box { fill: ${c.card}; stroke: ${c.line} }
.statechart .compound > .box { fill: ${c.group} }
.statechart .in-flight > .box { fill: ${c.flight}; stroke: ${c.flightLine} }
.statechart .compound.in-flight > .box { fill: ${c.flightGroup} }
.statechart .rule, .statechart .line { stroke: ${c.line} }
.statechart .inner { stroke: ${c.card} }
.statechart .pill { fill: ${c.pill} }
.statechart .head { fill: ${c.line} }
.statechart .way > .box, .statechart .way > .line { stroke: ${c.way} }
.statechart .way > .head { fill: ${c.way} }
.statechart .state.active > .box, .statechart .arrow.active > .pill { fill: ${c.active}; stroke: ${c.activeLine} }
.statechart .arrow.active > .line { stroke: ${c.activeLine} }
.statechart .arrow.active > .head, .statechart .edge.active text, .statechart .edge.active tspan { fill: ${c.activeLine} }
`

/** Plain rules without variables: svg renderers outside a browser know none. */
export const SVG_STYLE = `
.statechart { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
.statechart text { font-size: ${TEXT_PX}px }
.statechart .name { font-weight: 700 }
.statechart .box { stroke-width: 1.2 }
.statechart .in-flight > .box { stroke-width: 2.4 }
.statechart .rule, .statechart .inner { fill: none; stroke-width: 1 }
.statechart .final > .box { stroke-width: 5 }
.statechart .final > .inner { stroke-width: 2.6 }
.statechart .line { fill: none; stroke-width: 1.2 }
.statechart .hit { fill: none; stroke: transparent; stroke-width: 14 }
.statechart .way > .box, .statechart .way > .line { stroke-width: 2.4 }
.statechart .state.active > .box { stroke-width: 3 }
.statechart .arrow.active > .line { stroke-width: 2.4 }
.statechart .edge.active text { text-decoration: underline }
${colours(LIGHT)}@media (prefers-color-scheme: dark) {${colours(DARK)}}
`
