/** One device: its last known screen with its nodes, who waits for it, and a look at it while nobody else works with it. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { hasArea, type UiNode, type UiTree, walk } from '../../../contracts/device/ui-tree.ts'
import type { ExecutionSummary } from '../../../contracts/doors/viewer.ts'
import { SCREEN_SEARCHED_MAX } from '../../../contracts/limits/limits.ts'
import { findFirst } from '../../../device/screen/search.ts'
import { problemIn } from '../api.ts'
import { ExecutionTable } from '../executions/execution-table.tsx'
import { age } from '../format.ts'
import { actors, useExecutions } from '../live.ts'
import { Badge } from '../marks.tsx'
import { actorTone, DEVICE_PREFIX, isBusy } from '../names.ts'
import { waitingFor } from '../overview-data.ts'
import { WaitingLine } from '../parts.tsx'
import { executionsHref, hrefOf } from '../route.ts'
import { now, useNow } from '../time.ts'
import { CAPTURE, INSPECTOR, QUIET_MS, useBusyReason, useCapture, useLivePicture, useScreen } from './device-capture.ts'
import { matcherFor } from './matcher-for.ts'
import { execute, NodePanel, type TrialResult, TrialResultView } from './node-panel.tsx'
import { Screen, treeOf } from './screen.tsx'
import { SnapshotTree } from './snapshot-tree.tsx'

/** The innermost node at a point; of those that overlap, the one drawn last. */
const nodeAt = (tree: UiTree, x: number, y: number): UiNode | undefined => {
  let found: UiNode | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const { node } of walk(tree.roots)) {
    const { left, top, right, bottom } = node.bounds
    if (!hasArea(node.bounds) || x < left || x >= right || y < top || y >= bottom) continue
    const area = (right - left) * (bottom - top)
    if (area <= smallest) {
      found = node
      smallest = area
    }
  }
  return found
}

/** The picked node, also in the next snapshot if its matcher selects it there. */
const usePickedNode = (tree: UiTree | undefined): [UiNode | undefined, (node: UiNode) => void] => {
  const [picked, setPicked] = useState<{ tree: UiTree; node: UiNode } | undefined>(undefined)
  const node = useMemo(() => {
    if (!picked || !tree || picked.tree === tree) return picked?.node
    const selection = matcherFor(picked.tree, picked.node)
    return selection.kind === 'exact' ? findFirst(tree, selection.matcher)?.node : undefined
  }, [picked, tree])
  return [node, chosen => tree && setPicked({ tree, node: chosen })]
}

/** The tried step in the answer: the other steps are our own looks. */
const trialStepIn = (answer: unknown): unknown => {
  const { envelope } = answer as { envelope?: { stepResults?: readonly unknown[]; error?: unknown } }
  return { step: envelope?.stepResults?.[0], error: envelope?.error ?? null }
}

/** Whoever waits is among the newest: a request waits for two minutes at most. */
const LISTED = 50
const SHOWN = 10

const Queue = ({ waiting, time }: { waiting: readonly ExecutionSummary[]; time: number }) =>
  waiting.length === 0 ? null : (
    <section class="card panel queue" aria-labelledby="device-queue">
      <h2 id="device-queue">
        {waiting.length === 1 ? 'One request waits for this device' : `${waiting.length} requests wait for this device`}
      </h2>
      <ol class="lines">
        {waiting.map((execution, index) => (
          <WaitingLine
            key={execution.executionId}
            execution={execution}
            place={index + 1}
            time={time}
            showsDevice={false}
          />
        ))}
      </ol>
    </section>
  )

export const DeviceDetail = ({ serial }: { serial: string }) => {
  const { snapshot, picture } = useScreen(serial)
  const refused = useBusyReason(serial)
  const looking = useCapture(serial)
  const [isLive, setLive] = useState(false)
  useLivePicture(serial, isLive, refused, looking)
  const time = useNow()
  const tree = useMemo(() => treeOf(snapshot?.xml), [snapshot?.xml])
  const [hovered, hover] = useState<UiNode | undefined>(undefined)
  const [picked, pick] = usePickedNode(tree)
  const [tried, setTrialResult] = useState<TrialResult | undefined>(undefined)
  useEffect(() => hover(undefined), [tree])
  const runTrial = async (action: unknown) => {
    setTrialResult(undefined)
    try {
      setTrialResult({ result: trialStepIn(await execute(serial, `${INSPECTOR}-try-${now()}`, [action, ...CAPTURE])) })
    } catch (error) {
      setTrialResult({ problem: problemIn(error) })
    }
  }
  // A picture that is older than the tree shows another screen.
  const isFresh = picture !== undefined && (!snapshot || picture.at >= snapshot.at)
  const screen = { ...(isFresh ? { picture: picture.url } : {}) }
  const outlined = hovered ?? picked
  const seenAt = Math.max(snapshot?.at ?? 0, isFresh ? picture.at : 0)
  const isBlank = !tree && !isFresh
  const actor = actors.value.get(DEVICE_PREFIX + serial)
  const { answer: newest } = useExecutions(new URLSearchParams({ deviceId: serial, limit: `${LISTED}` }).toString())
  const executions = newest?.executions ?? []
  return (
    <article class="detail device" aria-label={serial}>
      <header class="detail-head">
        <h1>{serial}</h1>
        {actor && <Badge text={isBusy(actor) ? 'busy' : actor.state} tone={actorTone(actor)} />}
        <span class="muted grow">{seenAt > 0 ? `seen ${age(Math.max(0, time - seenAt))} ago` : ''}</span>
        <a href={hrefOf('actors', DEVICE_PREFIX + serial)}>Statechart</a>
        <label
          class="switch"
          title={`Looks ${QUIET_MS / 1_000} s after each execution, while nobody else has the device`}
        >
          <input type="checkbox" checked={isLive} onChange={({ currentTarget }) => setLive(currentTarget.checked)} />
          Live picture
        </label>
        <button type="button" disabled={looking.isBusy || refused !== undefined} onClick={() => void looking.capture()}>
          {looking.isBusy ? 'Looking…' : 'Look now'}
        </button>
      </header>
      {refused !== undefined && !looking.isBusy && (
        <p class="note">{refused} Nothing is sent to this device meanwhile.</p>
      )}
      <Queue waiting={waitingFor(executions, serial)} time={time} />
      {looking.problem && <p class="problem">{looking.problem.message}</p>}
      {isBlank && (
        <p class="empty muted">
          No screen is recorded in the newest {SCREEN_SEARCHED_MAX} executions of this device. “Look now” takes a
          snapshot and a screenshot.
        </p>
      )}
      <div class="device-stage">
        {!isBlank && (
          <section class="card device-picture" aria-label="Screen">
            <Screen
              screen={screen}
              tree={tree}
              label={`Screen of ${serial}`}
              outline={outlined?.bounds}
              {...(tree
                ? { onPoint: (x, y) => hover(nodeAt(tree, x, y)), onPick: () => hovered && pick(hovered) }
                : {})}
            />
            {isFresh && snapshot && picture.executionId !== snapshot.executionId && (
              <p class="note">
                The picture is newer than the nodes, which were seen {age(Math.max(0, time - snapshot.at))} ago and may
                be those of another screen. “Look now” reads both.
              </p>
            )}
            {!isFresh && tree && <p class="muted">Drawn from the snapshot, because no screenshot is as new.</p>}
          </section>
        )}
        {tree && (
          <div class="side">
            <section class="card tree-card" aria-label="Snapshot">
              <SnapshotTree tree={tree} hovered={hovered} picked={picked} onHover={hover} onPick={pick} />
            </section>
            {outlined && (
              <NodePanel
                tree={tree}
                node={picked ?? outlined}
                refused={looking.isBusy ? 'The page is looking.' : refused}
                onTry={runTrial}
              />
            )}
            {tried && <TrialResultView tried={tried} />}
          </div>
        )}
      </div>
      {executions.length > 0 && (
        <section aria-labelledby="device-executions">
          <h2 id="device-executions">
            Latest executions <a href={executionsHref({ deviceId: serial })}>All</a>
          </h2>
          <ExecutionTable executions={executions.slice(0, SHOWN)} label="Latest executions" />
        </section>
      )}
    </article>
  )
}
