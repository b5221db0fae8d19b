/** A simulated app whose login is a page in a web view, and one whose web views nobody may inspect. */
import { readScenario } from '../../../src/simulator/scenario/scenario.ts'

export const HYBRID = 'com.example.hybrid'
export const CLOSED = 'com.example.closed'
export const SITE = 'https://hybrid.example'

const page = (name: string, title: string, nodes: object[]) => ({
  page: { title, url: `${SITE}/${name}` },
  fill: true,
  nodes,
})

const field = (id: string, more: object) => ({
  id,
  hint: id,
  element: { id, attributes: { name: id } },
  ...more,
})

const LOGIN = [
  { text: 'Sign in', textSize: 24, element: { tag: 'h1', id: 'title' } },
  field('user', {}),
  field('pin', { password: true }),
  {
    class: 'Button',
    text: 'Log in',
    element: { id: 'login', class: 'main button', attributes: { type: 'submit' } },
    onTap: {
      firstOf: [
        { if: { node: { user: { text: 'ada' }, pin: { text: '1234' } } }, goTo: 'home' },
        { set: { problem: { text: 'Wrong name or PIN' } } },
      ],
    },
  },
  { id: 'problem', text: 'Please log in', element: { tag: 'p', id: 'problem', attributes: { role: 'alert' } } },
  { text: 'I need help', element: { tag: 'a', attributes: { href: '/help' } } },
]

const SCENARIO = {
  front: HYBRID,
  timeScale: 0.05,
  apps: [
    {
      package: HYBRID,
      label: 'Hybrid',
      start: 'login',
      screens: {
        login: {
          nodes: [
            { text: 'Native title', height: 40 },
            { class: 'Button', text: 'Settings', height: 48, onTap: { goTo: 'settings' } },
            { class: 'Button', text: 'Both', height: 48, onTap: { goTo: 'both' } },
            page('login', 'Hybrid: sign in', LOGIN),
          ],
        },
        home: {
          nodes: [page('home', 'Hybrid: home', [{ text: 'Welcome, Ada', element: { tag: 'p', id: 'welcome' } }])],
        },
        help: {
          nodes: [page('help', 'Hybrid: help', [{ text: 'Call us', element: { tag: 'h1', id: 'title' } }])],
        },
        moving: {
          nodes: [
            page('moving', 'Hybrid: moving', [
              field('near', {}),
              field('far', { onTap: { set: { near: { focused: true } } } }),
            ]),
          ],
        },
        settings: { nodes: [{ text: 'No page here' }] },
        both: {
          nodes: [
            { height: 300, nodes: [page('left', 'One', [{ text: 'The first', element: { tag: 'p', id: 'p' } }])] },
            { height: 300, nodes: [page('right', 'Two', [{ text: 'The second', element: { tag: 'p', id: 'p' } }])] },
          ],
        },
      },
    },
    {
      package: CLOSED,
      label: 'Closed',
      start: 'main',
      screens: {
        main: { nodes: [{ page: { title: 'Closed', debuggable: false }, fill: true, nodes: LOGIN.slice(0, 1) }] },
      },
    },
    {
      package: 'com.android.chrome',
      label: 'Chrome',
      start: 'tab',
      screens: { tab: { nodes: [page('tab', 'A tab', [{ text: 'Tab', element: { tag: 'p', id: 'p' } }])] } },
    },
  ],
}

export const hybridApp = () => {
  const read = readScenario(JSON.stringify(SCENARIO))
  if (!read.ok) throw new Error(read.error)
  return read.scenario
}
