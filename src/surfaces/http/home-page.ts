/** The page of GET /: what this server has to offer, and how its host is. HTML made here; it needs no script. */
import { escapeHtml } from '../../runtime/text/escape-html.ts'

/** A part of the host that was looked at, or why it could not be. */
export type Looked<T> = { ok: true; value: T } | { ok: false; message: string }

interface ShownDevice {
  serial: string
  state: string
}

interface ShownWork {
  actor: string
  state: string
}

export interface HostHealth {
  devices: Looked<readonly ShownDevice[]>
  /** Actors that are in the middle of something. */
  running: Looked<readonly ShownWork[]>
  /** The position of the newest record. */
  journalHead: Looked<number>
  /** Failures beside the answers, as GET /health lists them. */
  troubles: readonly { what: string; message: string }[]
}

export interface HomeFacts {
  version: string
  /** The address under which the caller has reached this server, with no slash at the end. */
  url: string
  /** Undefined for callers who may not see it. */
  health: HostHealth | undefined
}

const ROWS_MAX = 50

const link = (path: string, name: string, says: string) =>
  `<li><a href="${path}">${name}</a><span>${escapeHtml(says)}</span></li>`

const links = (): string =>
  [
    link('/inspector', 'Viewer', 'devices, executions and statecharts, live'),
    link('/docs', 'Documents', 'how to use svc, with a search'),
    link('/docs/api', 'Requests', 'every HTTP request, to read and to try'),
    link('/openapi.json', 'OpenAPI', 'the same for programs'),
    link('/health', 'Health', 'what fails in this server beside its answers'),
  ].join('\n')

const rowsOf = (rows: readonly (readonly [name: string, state: string])[], none: string): string => {
  if (rows.length === 0) return `<p>${escapeHtml(none)}</p>`
  const rowTexts = rows
    .slice(0, ROWS_MAX)
    .map(([name, state]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(state)}</dd>`)
  const more = rows.length - rowTexts.length
  return `<dl>${rowTexts.join('\n')}</dl>${more > 0 ? `<p>and ${more} more</p>` : ''}`
}

const part = <T>(looked: Looked<T>, show: (value: T) => string): string =>
  looked.ok ? show(looked.value) : `<p class="bad">${escapeHtml(looked.message)}</p>`

const healthSection = ({ devices, running, journalHead, troubles }: HostHealth): string => `<section>
<h2>This host</h2>
<h3>Devices</h3>
${part(devices, found =>
  rowsOf(
    found.map(({ serial, state }) => [serial, state]),
    'No device is connected. svc doctor says why; svc simulate runs a simulated one.',
  ),
)}
<h3>Running now</h3>
${part(running, found =>
  rowsOf(
    found.map(({ actor, state }) => [actor, state]),
    'Nothing.',
  ),
)}
<h3>Journal</h3>
${part(journalHead, head => `<p>${head === 0 ? 'It has no record yet.' : `It can be read; the newest record is ${head}.`}</p>`)}
${
  troubles.length === 0
    ? ''
    : `<h3>Troubles</h3>\n<div class="bad">${rowsOf(
        troubles.map(({ what, message }) => [what, message]),
        '',
      )}</div>`
}
</section>`

const HIDDEN = `<section>
<h2>This host</h2>
<p>Devices and executions are shown to callers on this machine. From elsewhere, GET /devices and GET /health tell them to
those who have the token of this server.</p>
</section>`

export const homePage = ({ version, url, health }: HomeFacts): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>svc</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inspector/files/home.css">
</head>
<body>
<main>
<h1>svc <small>${escapeHtml(version)}</small></h1>
<ul>
${links()}
</ul>
<section>
<h2>For agents</h2>
<p>This server speaks the Model Context Protocol at <a href="/mcp">${escapeHtml(url)}/mcp</a>. Claude Code is told of it by</p>
<pre><code>claude mcp add --transport http svc ${escapeHtml(url)}/mcp</code></pre>
<p>Without a server, an agent starts <code>svc mcp</code> itself.</p>
</section>
${health ? healthSection(health) : HIDDEN}
</main>
</body>
</html>
`
