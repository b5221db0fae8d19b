/** The dialog in which Android asks a person for a permission, in the words and with the ids of each version. */
import * as v from 'valibot'
import type { Answer, PermissionRequest, PhonePermissions } from '../permissions.ts'
import { App, type ScenarioApp } from '../scenario/app.ts'
import type { WrittenNode } from '../scenario/node.ts'
import type { Tasks } from './foreground.ts'

/** From `Allow <the app> to`, to the question mark. */
const WORDS: Readonly<Record<string, string>> = {
  camera: 'take pictures and record video',
  microphone: 'record audio',
  location: 'access this device’s location',
  contacts: 'access your contacts',
  phone: 'make and manage phone calls',
  sms: 'send and view SMS messages',
  storage: 'access photos and media on your device',
  media: 'access photos and videos on this device',
  notifications: 'send you notifications',
  calendar: 'access your calendar',
  bluetooth: 'find, connect to, and determine the relative position of nearby devices',
}

interface Button {
  id: string
  text: string
  answer: Answer
}

const ANDROID_10 = 29
const ANDROID_11 = 30
const ANDROID_12 = 31
const AGAIN = 'permission_deny_and_dont_ask_again_button'

const refusal = (sdk: number, isAgain: boolean): Button => {
  const id = isAgain && sdk >= ANDROID_10 ? AGAIN : 'permission_deny_button'
  if (sdk >= ANDROID_12) return { id, text: 'Don’t allow', answer: 'deny' }
  if (sdk < ANDROID_10) return { id, text: 'DENY', answer: 'deny' }
  return { id, text: id === AGAIN ? 'Deny & don’t ask again' : 'Deny', answer: 'deny' }
}

const FOREGROUND = ['camera', 'microphone', 'location']

const buttonsFor = ({ group, isAgain }: PermissionRequest, sdk: number): Button[] => {
  const deny = refusal(sdk, isAgain)
  const whileInUse = (text: string): Button => ({
    id: 'permission_allow_foreground_only_button',
    text,
    answer: 'allow',
  })
  if (sdk >= ANDROID_11 && FOREGROUND.includes(group)) {
    const once: Button = { id: 'permission_allow_one_time_button', text: 'Only this time', answer: 'once' }
    return [whileInUse('While using the app'), once, deny]
  }
  if (sdk === ANDROID_10 && group === 'location') {
    const always: Button = { id: 'permission_allow_always_button', text: 'Allow all the time', answer: 'allow' }
    return [always, whileInUse('Allow only while using the app'), deny]
  }
  return [{ id: 'permission_allow_button', text: sdk < ANDROID_10 ? 'ALLOW' : 'Allow', answer: 'allow' }, deny]
}

export interface PermissionDialog {
  app: ScenarioApp
  /** The answer that the button with this id of the scenario gives; undefined for what is no button. */
  answerOf(id: string | undefined): Answer | undefined
}

const permissionDialog = (request: PermissionRequest, label: string, sdk: number): PermissionDialog => {
  const controller = sdk < ANDROID_10 ? 'com.android.packageinstaller' : 'com.android.permissioncontroller'
  const buttons = buttonsFor(request, sdk)
  const node = (id: string): WrittenNode => ({ resourceId: `${controller}:id/${id}` })
  const app = v.parse(App, {
    package: controller,
    label: 'Permission controller',
    screens: {
      main: {
        activity: `${controller}.permission.ui.GrantPermissionsActivity`,
        dialog: { cancelable: false },
        nodes: [
          {
            ...node('grant_dialog'),
            padding: 16,
            nodes: [
              {
                ...node('permission_message'),
                text: `Allow ${label} to ${WORDS[request.group] ?? `use ${request.group}`}?`,
                padding: 16,
                textSize: 20,
                align: 'center',
              },
              ...buttons.map(({ id, text }): WrittenNode => ({ ...node(id), id, text, class: 'Button', height: 56 })),
            ],
          },
        ],
      },
    },
  })
  return { app, answerOf: id => buttons.find(button => button.id === id)?.answer }
}

interface Asking {
  tasks: Pick<Tasks, 'cover' | 'back'>
  /** A phone without them asks nobody. */
  permissions: PhonePermissions | undefined
}

const askFor = (app: ScenarioApp, [request, ...others]: readonly PermissionRequest[], asking: Asking): void => {
  const { tasks, permissions } = asking
  if (!request || !permissions) return
  const dialog = permissionDialog(request, app.label, permissions.sdk)
  tasks.cover(app, dialog.app, id => {
    const answer = dialog.answerOf(id)
    if (answer === undefined) return
    permissions.answer(request, answer)
    tasks.back()
    askFor(app, others, asking)
  })
}

/** Shows one dialog after the other, for the permissions that nobody has answered for good. */
export const askPermissions = (app: ScenarioApp, names: readonly string[], asking: Asking): void =>
  askFor(app, asking.permissions?.requests(app.package, names) ?? [], asking)
