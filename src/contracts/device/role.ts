/** Tells the kind of control from a node's class name; the table below is the documentation. */
import type { UiNode } from './ui-tree.ts'

/**
 * Per role the names it also goes by, and the endings of class names that have it. The longest ending that fits wins, so
 * that `RadioButton` is not a button and `AutoCompleteTextView` is not a text. Class names are compared without package, and of
 * an inner class (`ActionBar$Tab`) the inner name counts.
 */
export const ROLES = {
  button: { names: ['btn'], classes: ['Button', 'Chip'] },
  checkbox: { names: ['check_box'], classes: ['CheckBox', 'CheckedTextView'] },
  dropdown: { names: ['spinner', 'combobox'], classes: ['Spinner'] },
  group: { names: ['layout', 'viewgroup'], classes: ['Layout', 'ViewGroup'] },
  image: { names: ['icon', 'imageview'], classes: ['ImageView', 'Image'] },
  list: { names: ['listview', 'grid'], classes: ['RecyclerView', 'ListView', 'GridView'] },
  pager: { names: ['viewpager'], classes: ['ViewPager', 'ViewPager2'] },
  picker: { names: [], classes: ['Picker'] },
  progress: { names: ['progressbar'], classes: ['ProgressBar'] },
  radio: { names: ['radiobutton', 'radio_button'], classes: ['RadioButton'] },
  scroll: { names: ['scrollview'], classes: ['ScrollView'] },
  slider: { names: ['seekbar'], classes: ['SeekBar', 'Slider', 'RatingBar'] },
  switch: { names: ['toggle'], classes: ['Switch', 'SwitchCompat', 'ToggleButton'] },
  tab: { names: [], classes: ['Tab', 'TabView'] },
  text: { names: ['label', 'textview'], classes: ['TextView', 'TextClock', 'Chronometer'] },
  textfield: {
    names: ['edit', 'edittext', 'text_field', 'input'],
    classes: ['EditText', 'AutoCompleteTextView', 'AutoComplete'],
  },
  web: { names: ['webview'], classes: ['WebView'] },
} as const satisfies Record<string, { names: readonly string[]; classes: readonly string[] }>

export type Role = keyof typeof ROLES

const ROLE_NAMES = Object.keys(ROLES) as Role[]

const BY_NAME = new Map<string, Role>(
  ROLE_NAMES.flatMap(role => [role, ...ROLES[role].names].map((name): [string, Role] => [name, role])),
)

const BY_ENDING = ROLE_NAMES.flatMap(role => ROLES[role].classes.map(ending => ({ ending, role }))).sort(
  (a, b) => b.ending.length - a.ending.length,
)

const simpleName = (className: string) =>
  className.slice(Math.max(...['.', '$'].map(at => className.lastIndexOf(at))) + 1)

export const roleOf = (node: Pick<UiNode, 'className'>): Role | undefined => {
  const name = simpleName(node.className)
  return BY_ENDING.find(({ ending }) => name.endsWith(ending))?.role
}

/** In any case. A name that is in no row of the table is compared with the class name itself. */
export const hasRole = (node: Pick<UiNode, 'className'>, wanted: string): boolean => {
  const name = wanted.toLowerCase()
  const role = BY_NAME.get(name)
  return role === undefined ? simpleName(node.className).toLowerCase() === name : roleOf(node) === role
}

export const isTextField = (node: Pick<UiNode, 'className'>): boolean => roleOf(node) === 'textfield'
