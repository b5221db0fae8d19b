/** A simulated document as its HTML. */
import { type Element, ownText } from './page.ts'

const EMPTY = new Set(['input', 'img', 'br', 'hr'])

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const htmlOf = (element: Element): string => {
  const { tag, attributes, children } = element
  const written = [...attributes].map(([name, value]) => ` ${name}="${escaped(value)}"`).join('')
  if (EMPTY.has(tag)) return `<${tag}${written}>`
  return `<${tag}${written}>${escaped(ownText(element))}${children.map(htmlOf).join('')}</${tag}>`
}

export const outerHtml = (html: Element, title: string): string =>
  `<html><head><title>${escaped(title)}</title></head>${html.children.map(child => `<body>${child.children.map(htmlOf).join('')}</body>`).join('')}</html>`
