/** Marks of a state: a shape and a colour for each tone, beside a word, so that none of them stands alone. */
import { type Tone, toneOf } from './names.ts'

/** Drawn on 12 by 12. */
const SHAPES: Readonly<Record<Tone, preact.JSX.Element>> = {
  good: <path d="M2.5 6.4 5 8.9l4.6-5.4" fill="none" />,
  busy: (
    <>
      <circle cx={6} cy={6} r={4.2} fill="none" opacity={0.35} />
      <path class="turning" d="M6 1.8a4.2 4.2 0 0 1 4.2 4.2" fill="none" />
    </>
  ),
  wait: <path d="M3 1.8h6L3 10.2h6L3 1.8Z" fill="none" />,
  doubt: <path d="M3.8 4.2a2.2 2.2 0 1 1 3.3 1.9c-.8.4-1.1.8-1.1 1.6M6 9.7v.2" fill="none" />,
  bad: <path d="m3 3 6 6M9 3 3 9" fill="none" />,
  calm: <circle cx={6} cy={6} r={3} fill="none" />,
}

const WORDS: Readonly<Record<Tone, string>> = {
  good: 'good',
  busy: 'at work',
  wait: 'waiting',
  doubt: 'in doubt',
  bad: 'failed',
  calm: 'at rest',
}

const SIZE = { width: 12, height: 12, viewBox: '0 0 12 12' } as const

/** With `alone` its word is told to screen readers: nothing beside it says the same. */
export const Mark = ({ tone, alone = false }: { tone: Tone; alone?: boolean }) =>
  alone ? (
    <svg class={`mark ${tone}`} {...SIZE} role="img" aria-label={WORDS[tone]}>
      {SHAPES[tone]}
    </svg>
  ) : (
    <svg class={`mark ${tone}`} {...SIZE} aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  )

export const Badge = ({
  text,
  tone = toneOf(text),
  title,
}: {
  text: string
  tone?: Tone
  title?: string | undefined
}) => (
  <span class={`badge ${tone}`} title={title}>
    <Mark tone={tone} />
    {text}
  </span>
)
