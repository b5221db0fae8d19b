/** Chooses the widget of a node when a scenario does not name it, and the abilities of its class. */
import type { ParsedNode } from './node.ts'

/** Short names that are not under `android.widget`. */
const FULL_NAMES: Readonly<Record<string, string>> = {
  View: 'android.view.View',
  ViewGroup: 'android.view.ViewGroup',
  RecyclerView: 'androidx.recyclerview.widget.RecyclerView',
  ViewPager: 'androidx.viewpager.widget.ViewPager',
  WebView: 'android.webkit.WebView',
}

const guess = (node: ParsedNode): string => {
  if (node.scrollable) return 'RecyclerView'
  if (node.nodes.length > 0) return node.layout === 'grid' ? 'GridLayout' : 'LinearLayout'
  if (node.hint !== '' || node.password || node.onText !== undefined) return 'EditText'
  if (node.checkable || node.checked !== undefined) return 'Switch'
  if (node.icon !== undefined && node.text === '') return 'ImageView'
  if (node.text !== '') return 'TextView'
  if (node.contentDesc !== '') return node.onTap === undefined ? 'ImageView' : 'ImageButton'
  return 'View'
}

export const fullClassName = (name: string): string =>
  name.includes('.') ? name : (FULL_NAMES[name] ?? `android.widget.${name}`)

export const classNameOf = (node: ParsedNode): string => fullClassName(node.class ?? guess(node))

const CHECKABLE = /\.(Switch|SwitchCompat|CheckBox|RadioButton|ToggleButton|CheckedTextView)$/
const EDITABLE = /\.(EditText|AutoCompleteTextView)$/
const BUTTON = /\.(Button|ImageButton)$/

/** A class of fields that text can be typed into. */
export const isEditable = (className: string): boolean => EDITABLE.test(className)

type Flagged = Partial<Pick<ParsedNode, 'checkable' | 'checked' | 'clickable' | 'focusable' | 'longClickable'>> &
  Partial<Pick<ParsedNode, 'onTap' | 'onLongPress'>>

export const flagsOf = (node: Flagged, className: string) => {
  const editable = isEditable(className)
  const checkable = node.checkable ?? (CHECKABLE.test(className) || node.checked !== undefined)
  const reacts = editable || checkable || BUTTON.test(className) || node.onTap !== undefined
  const clickable = node.clickable ?? reacts
  return {
    editable,
    checkable,
    checked: node.checked ?? false,
    clickable,
    focusable: node.focusable ?? clickable,
    longClickable: node.longClickable ?? (editable || node.onLongPress !== undefined),
  }
}
