/** The requests of the HTTP server, from their declarations, under the headings of the API document. */
import { OPERATIONS } from '../../../contracts/operations/all.ts'
import type { Operation, Tag } from '../../../contracts/operations/operation.ts'
import { ROUTES, type RouteId } from '../../../contracts/operations/routes.ts'
import { CALLABLE } from './client/shapes-file.ts'
import { code, markdownTable, sentence } from './table.ts'

const TAGS: readonly Tag[] = [
  'Executions',
  'Devices',
  'Events',
  'Actors',
  'Skills',
  'Emulators',
  'Fleet',
  'Viewer',
  'MCP',
  'Documents',
  'Server',
]

interface Request {
  tag: Tag
  address: string
  /** By which `svc.request` of the library makes it; undefined for streams and pages. */
  name: RouteId | undefined
  summary: string
  takes: string
}

const namesOf = (schema: unknown): string[] =>
  schema !== null && typeof schema === 'object' && 'entries' in schema ? Object.keys(schema.entries as object) : []

/** Fields of the body and parameters of the query. */
const takesOf = ({ body, query }: Operation): string =>
  [...namesOf(query).map(name => code(`?${name}`)), ...namesOf(body).map(code)].join(', ')

const REQUESTS: readonly Request[] = (Object.keys(ROUTES) as RouteId[]).map(id => {
  const [method, path] = ROUTES[id]
  const operation: Operation = OPERATIONS[id]
  const address = `${method} ${path.replace(/:(\w+)/g, '<$1>')}`
  const name = CALLABLE.includes(id) ? id : undefined
  return { tag: operation.tag, address, name, summary: operation.summary, takes: takesOf(operation) }
})

export const requestTables = (): string =>
  [...new Set([...TAGS, ...REQUESTS.map(({ tag }) => tag)])]
    .map(tag => {
      const rows = REQUESTS.filter(request => request.tag === tag).map(({ address, name, summary, takes }) => [
        code(address),
        sentence(summary),
        takes,
        name === undefined ? '' : code(name),
      ])
      return rows.length === 0
        ? ''
        : `### ${tag}\n\n${markdownTable(['request', 'what it does', 'takes', 'name'], rows)}`
    })
    .filter(Boolean)
    .join('\n\n')
