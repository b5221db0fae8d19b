/** One HTML file that opens from disk: its script, style and data are in it, and its policy lets it fetch nothing. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../text/escape-html.ts'

export interface StandaloneHtml {
  html: string
  /** The policy that the file also carries itself. */
  policy: string
}

export interface StandaloneParts {
  title: string
  style: string
  script: string
  /** Stands in the element `root` until the script draws the page. */
  body?: string
  /** Values by the ids of the elements that hold them as JSON. */
  data: Iterable<readonly [id: string, value: unknown]>
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing in it can end the element around it. */
const jsonInElement = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

export const standaloneHtml = ({ title, style, script, body = '', data }: StandaloneParts): StandaloneHtml => {
  const policy = `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data:; base-uri 'none'; form-action 'none'`
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    `<div id="root">${body}</div>`,
    ...Array.from(data, ([id, value]) => `<script type="application/json" id="${id}">${jsonInElement(value)}</script>`),
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
  return { html, policy }
}
