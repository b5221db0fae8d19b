/** Shows the picked node: its facts, the matcher that selects it, to copy, and actions to try on it. */
import { useEffect, useState } from 'preact/hooks'
import type { UiNode, UiTree } from '../../../contracts/device/ui-tree.ts'
import { type ApiProblem, post, problemIn } from '../api.ts'
import { JsonView } from '../json-view.tsx'
import { CopyButton, ProblemCard } from '../parts.tsx'
import { flagsOf, matcherFor } from './matcher-for.ts'

const Copy = ({ name, text }: { name: string; text: string }) => (
  <div class="copy">
    <code>{text}</code>
    <CopyButton name={name} text={text} />
  </div>
)

const ACTIONS = {
  click: {},
  'long click': { clickType: 'long_click' },
  read_text: {},
  wait_for_node: {},
  enter_text: { text: 'hello' },
} as const

type Trial = keyof typeof ACTIONS

const typeOf = (trial: Trial) => (trial === 'long click' ? 'click' : trial)

const actionFor = (trial: Trial, matcher: unknown) => ({
  id: 'try',
  type: typeOf(trial),
  params: { matcher, ...ACTIONS[trial] },
})

export interface NodePanelProps {
  tree: UiTree
  node: UiNode
  /** Why nothing may be sent to the device now. */
  refused: string | undefined
  /** Runs it on the device, and shows what came of it. */
  onTry(action: unknown): Promise<void>
}

/** The result of the last tried action. It stays when the screen has changed by then. */
export type TrialResult = { problem: ApiProblem } | { result: unknown }

export const TrialResultView = ({ tried }: { tried: TrialResult }) => {
  if ('result' in tried) {
    return (
      <section class="card tried" role="status" aria-label="What came of it">
        <JsonView value={tried.result} />
      </section>
    )
  }
  return <ProblemCard problem={tried.problem} role="alert" />
}

const TrialForm = ({ matcher, refused, onTry }: Pick<NodePanelProps, 'refused' | 'onTry'> & { matcher: unknown }) => {
  const [trial, setTrial] = useState<Trial>('click')
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [wrong, setWrong] = useState('')
  useEffect(() => {
    setText(JSON.stringify(actionFor(trial, matcher), null, 2))
    setWrong('')
  }, [trial, JSON.stringify(matcher)])
  const run = async () => {
    setBusy(true)
    setWrong('')
    try {
      await onTry(JSON.parse(text))
    } catch (error) {
      setWrong(problemIn(error).message)
    }
    setBusy(false)
  }
  return (
    <details class="try">
      <summary>Try an action</summary>
      <div class="try-row">
        <select
          aria-label="Action"
          value={trial}
          onChange={({ currentTarget }) => setTrial(currentTarget.value as Trial)}
        >
          {Object.keys(ACTIONS).map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
        <button type="button" class="primary" disabled={isBusy || refused !== undefined} onClick={() => void run()}>
          {isBusy ? 'Running…' : 'Try'}
        </button>
        {refused !== undefined && <span class="muted">{refused}</span>}
      </div>
      <textarea
        aria-label="The action as JSON"
        rows={7}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {wrong !== '' && <p class="problem">{wrong}</p>}
    </details>
  )
}

export const NodePanel = ({ tree, node, refused, onTry }: NodePanelProps) => {
  const selection = matcherFor(tree, node)
  const { left, top, right, bottom } = node.bounds
  return (
    <section class="card node-panel" aria-label="Node">
      <p class="mono muted">
        {node.className} · [{left},{top}] – [{right},{bottom}]
      </p>
      {selection.kind === 'none' && <p>This node has no text, no id and no role: no matcher selects it.</p>}
      {selection.kind === 'shared' && (
        <p class="problem">
          No matcher selects this node alone: the best one selects {selection.count} nodes, and actions take the first.
        </p>
      )}
      {selection.kind !== 'none' && (
        <>
          <Copy name="Copy JSON" text={JSON.stringify(selection.matcher)} />
          <Copy name="Copy flags" text={flagsOf(selection.matcher)} />
          <TrialForm matcher={selection.matcher} refused={refused} onTry={onTry} />
        </>
      )}
    </section>
  )
}

/** One execution of the page itself. */
export const execute = (serial: string, id: string, actions: readonly unknown[]): Promise<unknown> =>
  post('/execute', {
    deviceId: serial,
    execution: {
      commandId: id,
      taskId: 'inspector',
      source: 'inspector',
      expectedFormat: 'android-ui-automator',
      timeoutMs: 30_000,
      actions,
    },
  })
