/** A trace as one HTML file that opens from disk: the page's own code, the data, and the pictures, with nothing left to fetch. */
import { createHash } from 'node:crypto'
import type { Trace } from '../contracts/viewer.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Asset, Assets } from './assets.ts'
import { withPictureData } from './trace-pictures.ts'

export interface TraceHtml {
  html: string
  /** The policy that the file also carries itself. */
  policy: string
}

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const policyOf = (script: string, style: string) =>
  `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data:; base-uri 'none'; form-action 'none'`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** JSON in which nothing can end the element around it. */
const jsonIn = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

const textOf = (asset: Asset | undefined): string => asset?.content.toString() ?? ''

export const traceHtml = async (journal: Journal, trace: Trace, assets: Assets): Promise<TraceHtml> => {
  const script = textOf(assets.get('trace.js'))
  const style = textOf(assets.get('app.css'))
  const chart = textOf(assets.get(`${trace.machine}.svg`))
  const policy = policyOf(script, style)
  const data = jsonIn({ trace: await withPictureData(journal, trace), chart })
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    `<title>svc: ${escaped(trace.kind)} ${escaped(trace.id)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    `<script type="application/json" id="trace">${data}</script>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
  return { html, policy }
}
