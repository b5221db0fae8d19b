/** The labels of the screen that a failure names, in lines for people, and its hint without what the list says already. */
import { isObject } from '../json/json.ts'

/** Ends the hint that names the nearest labels. */
export const USE_NEAREST_HINT = 'Use one of these labels or refs, scroll to the node, or wait for it.'

/** `@12.3 button "Wi-Fi"`, as in a compact snapshot. */
const labelLine = (node: unknown): string => {
  const { ref, role, label } = isObject(node) ? node : {}
  return [ref, role, label === undefined ? undefined : JSON.stringify(label)].filter(Boolean).join(' ')
}

export interface LabelList {
  title: 'Nearest on the screen' | 'On the screen'
  labels: readonly string[]
}

type Details = Readonly<Record<string, unknown>> | undefined

/** The nearest labels, else the first of the screen; undefined where the failure names none. */
export const labelListOf = (details: Details): LabelList | undefined => {
  const linesOf = (value: unknown) => (Array.isArray(value) ? value.map(labelLine).filter(Boolean) : [])
  const [nearest, onScreen] = [linesOf(details?.nearest), linesOf(details?.onScreen)]
  if (nearest.length > 0) return { title: 'Nearest on the screen', labels: nearest }
  return onScreen.length > 0 ? { title: 'On the screen', labels: onScreen } : undefined
}

/** The hint beside the list of labels and the line of the application in front. */
export const hintBesideLabels = (hint: string, details: Details): string => {
  const list = labelListOf(details)
  if (!list) return hint
  if (list.title === 'On the screen') return hint.replace(/ On the screen: ".*"\./su, '')
  return hint.replace(
    /(?:The application in front is \S+\. )?Nearest to what was asked for: .*(?=Use one of these)/su,
    '',
  )
}

/** `In front: com.example.shop` comes from this; undefined where it is not known. */
export const foregroundOf = (details: Details): string | undefined =>
  typeof details?.foreground === 'string' && details.foreground !== '' ? details.foreground : undefined
