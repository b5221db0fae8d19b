/** The tree of a snapshot: one row a node, opened and closed and walked by keys as trees are. */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { labelOf, type UiNode, type UiTree } from '../../../contracts/device/ui-tree.ts'
import { Rows } from '../rows.tsx'

interface Row {
  node: UiNode
  level: number
  place: number
  of: number
}

const ROW = 24

/** Uses its own stack instead of recursion: a tree may be deeper than the call stack. */
const rowsOf = (roots: readonly UiNode[], closed: ReadonlySet<UiNode>): readonly Row[] => {
  const open = (nodes: readonly UiNode[], level: number): Row[] =>
    nodes.map((node, index) => ({ node, level, place: index + 1, of: nodes.length })).reverse()
  const rows: Row[] = []
  const stack = open(roots, 1)
  for (let row = stack.pop(); row; row = stack.pop()) {
    rows.push(row)
    if (!closed.has(row.node)) stack.push(...open(row.node.children, row.level + 1))
  }
  return rows
}

const simpleName = ({ className }: UiNode) => className.slice(className.lastIndexOf('.') + 1) || 'node'

const flagsOf = (node: UiNode) =>
  (['clickable', 'scrollable', 'checked', 'focused', 'selected', 'password'] as const).filter(flag => node[flag])

export interface SnapshotTreeProps {
  tree: UiTree
  hovered: UiNode | undefined
  picked: UiNode | undefined
  onHover(node: UiNode | undefined): void
  onPick(node: UiNode): void
}

export const SnapshotTree = ({ tree, hovered, picked, onHover, onPick }: SnapshotTreeProps) => {
  const [closed, setClosed] = useState<ReadonlySet<UiNode>>(new Set())
  const rows = useMemo(() => rowsOf(tree.roots, closed), [tree, closed])
  const at = rows.findIndex(({ node }) => node === picked)
  /** The tree whose keys led to the picked row: the focus goes there once the row is drawn. */
  const walked = useRef<HTMLElement | undefined>(undefined)
  // Before the next key: a later effect would take the row that this key led to for its own.
  useLayoutEffect(() => {
    walked.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    walked.current = undefined
  }, [picked])
  const toggle = (node: UiNode, isClosed: boolean) => {
    const next = new Set(closed)
    if (isClosed) next.add(node)
    else next.delete(node)
    setClosed(next)
  }
  const go = (index: number, event: KeyboardEvent) => {
    const row = rows[Math.min(rows.length - 1, Math.max(0, index))]
    if (!row) return
    event.preventDefault()
    onPick(row.node)
    walked.current = event.currentTarget as HTMLElement
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[at]
    const isClosed = row !== undefined && closed.has(row.node)
    const hasChildren = (row?.node.children.length ?? 0) > 0
    if (event.key === 'ArrowDown') go(at + 1, event)
    else if (event.key === 'ArrowUp') go(at - 1, event)
    else if (event.key === 'Home') go(0, event)
    else if (event.key === 'End') go(rows.length - 1, event)
    else if (event.key === 'ArrowRight' && row && hasChildren) isClosed ? toggle(row.node, false) : go(at + 1, event)
    else if (event.key === 'ArrowLeft' && row) {
      if (hasChildren && !isClosed) return toggle(row.node, true)
      const around = rows.slice(0, at).findLastIndex(({ level }) => level < row.level)
      if (around >= 0) go(around, event)
    }
  }
  return (
    <Rows label="Snapshot" role="tree" count={rows.length} height={ROW} at={at} class="tree" onKeyDown={onKeyDown}>
      {index => {
        const row = rows[index]
        if (!row) return null
        const { node, level, place, of } = row
        const label = labelOf(node)
        const hasChildren = node.children.length > 0
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it hears the keys
          <div
            key={index}
            role="treeitem"
            class={`tree-row ${node === hovered ? 'hovered' : ''} ${node === picked ? 'picked' : ''}`}
            aria-level={level}
            aria-posinset={place}
            aria-setsize={of}
            aria-selected={node === picked}
            {...(hasChildren ? { 'aria-expanded': !closed.has(node) } : {})}
            tabIndex={node === picked || (at < 0 && index === 0) ? 0 : -1}
            onPointerEnter={() => onHover(node)}
            onPointerLeave={() => onHover(undefined)}
            onFocus={() => onHover(node)}
            onClick={() => onPick(node)}
            style={{ paddingLeft: `${8 + (level - 1) * 12}px` }}
          >
            <span
              class="tree-mark"
              aria-hidden="true"
              onClick={event => {
                event.stopPropagation()
                toggle(node, !closed.has(node))
              }}
            >
              {hasChildren ? (closed.has(node) ? '▸' : '▾') : ''}
            </span>
            <span class="tree-class">{simpleName(node)}</span>
            {label !== '' && <span class="tree-label">“{label}”</span>}
            {node.resourceId !== '' && <span class="tree-id mono">{node.resourceId.replace(/^.*\//, '')}</span>}
            {flagsOf(node).map(flag => (
              <span key={flag} class="tree-flag">
                {flag}
              </span>
            ))}
          </div>
        )
      }}
    </Rows>
  )
}
