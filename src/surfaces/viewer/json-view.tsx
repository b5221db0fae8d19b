/** JSON as a tree that opens and closes; whatever is in it is shown as text. */
import { useState } from 'preact/hooks'

const TEXT_MAX = 400
const MEMBERS_MAX = 200
const OPEN_DEPTH = 3

const LongText = ({ text }: { text: string }) => {
  const [isWhole, setWhole] = useState(false)
  if (text.length <= TEXT_MAX || isWhole) return <span class="j-string">{JSON.stringify(text)}</span>
  return (
    <span class="j-string">
      {JSON.stringify(text.slice(0, TEXT_MAX))}
      <button type="button" class="link" onClick={() => setWhole(true)}>
        … all {text.length} characters
      </button>
    </span>
  )
}

const Leaf = ({ value }: { value: unknown }) =>
  typeof value === 'string' ? (
    <LongText text={value} />
  ) : (
    <span class={`j-${value === null ? 'null' : typeof value}`}>{String(value)}</span>
  )

interface BranchProps {
  name: string | undefined
  value: object
  depth: number
  changed: ReadonlySet<string> | undefined
  path: string
}

const Branch = ({ name, value, depth, changed, path }: BranchProps) => {
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH)
  const isArray = Array.isArray(value)
  const entries = Object.entries(value)
  const brackets = isArray ? '[]' : '{}'
  if (entries.length === 0) {
    return (
      <div class="j-row">
        <Name name={name} /> {brackets}
      </div>
    )
  }
  const members = (
    <>
      {entries.slice(0, MEMBERS_MAX).map(([key, member]) => (
        <Node key={key} name={key} value={member} depth={depth + 1} changed={changed} path={`${path}/${key}`} />
      ))}
      {entries.length > MEMBERS_MAX && <div class="muted">… {entries.length - MEMBERS_MAX} more</div>}
    </>
  )
  if (depth === 0) return members
  return (
    <div>
      <button type="button" class="j-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> <Name name={name} />
        <span class="muted">{isArray ? `[${entries.length}]` : isOpen ? '' : `{${entries.length}}`}</span>
      </button>
      {isOpen && <div class="j-inner">{members}</div>}
    </div>
  )
}

const Name = ({ name }: { name: string | undefined }) =>
  name === undefined ? null : <span class="j-name">{name}:</span>

interface NodeProps {
  name?: string | undefined
  value: unknown
  depth: number
  changed: ReadonlySet<string> | undefined
  path: string
}

const Node = ({ name, value, depth, changed, path }: NodeProps) =>
  typeof value === 'object' && value !== null ? (
    <Branch name={name} value={value} depth={depth} changed={changed} path={path} />
  ) : (
    <div class={`j-row ${changed?.has(path) ? 'j-changed' : ''}`}>
      <Name name={name} /> <Leaf value={value} />
    </div>
  )

/** `changed`: paths of leaves (`/current/executionId`) that are marked. */
export const JsonView = ({ value, changed }: { value: unknown; changed?: ReadonlySet<string> }) => (
  <div class="json">
    <Node value={value} depth={0} changed={changed} path="" />
  </div>
)
