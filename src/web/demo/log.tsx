// The app's server: its requests to the platform and the updates it received, each with its content.
import { useSignal } from '@preact/signals'
import type { ComponentChild, ComponentChildren } from 'preact'
import { entries, type LogEntry } from './state.ts'

const channels = {
  call: 'server → platform',
  webhook: 'webhook → server',
  window: 'page → app',
  control: 'page → app',
}

export function EventLog() {
  const withControl = useSignal(false)
  const shown = entries.value.filter(({ channel }) => withControl.value || channel !== 'control')
  return (
    <section class="log" aria-labelledby="log">
      <div class="bar">
        <h2 id="log">Your server</h2>
        <label>
          <input
            type="checkbox"
            onChange={(event) => {
              withControl.value = event.currentTarget.checked
            }}
          />
          Show control messages
        </label>
      </div>
      {shown.length === 0 && (
        <p class="empty">
          Start a journey. Your server’s requests and all lifecycle updates appear here as they arrive: signed webhooks,
          and messages to the page.
        </p>
      )}
      <ol aria-live="polite">
        {shown.toReversed().map((entry) => (
          <li key={`${entry.channel} ${entry.title} ${entry.at.getTime()}`}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Line({ entry: { channel, at, title, words, headers, verified, curl, content } }: { entry: LogEntry }) {
  const open = useSignal(false)
  return (
    <details
      class={channel}
      onToggle={(event) => {
        open.value = event.currentTarget.open
      }}
    >
      <summary>
        <time>{at.toLocaleTimeString('en-GB')}</time>
        <span class="what">
          <b>{title}</b>
          {words && <span>{words}</span>}
        </span>
        <span class="marks">
          <span class="badge">{channels[channel]}</span>
          {verified && <span class="badge good">✓ signature verified</span>}
        </span>
      </summary>
      {open.value && (
        <>
          {curl && <Copied title="As curl" text={curl} />}
          {headers && <Json title="Headers" value={headers} />}
          <Json title={curl ? 'Answer' : 'Body'} value={content} />
        </>
      )}
    </details>
  )
}

interface CopiedProps {
  title: string
  text: string
  /** The formatted text, if it is not plain. */
  children?: ComponentChildren
}

function Copied({ title, text, children = text }: CopiedProps) {
  return (
    <figure>
      <figcaption>
        {title} <Copy text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}

interface CopyProps {
  text: string
  label?: string
}

/** Shows briefly that it was copied, or that the browser refused. */
export function Copy({ text, label = 'Copy' }: CopyProps) {
  const done = useSignal('')
  const copy = async () => {
    done.value = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Blocked by the browser',
    )
    setTimeout(() => {
      done.value = ''
    }, 1500)
  }
  return (
    <button type="button" class="secondary small" onClick={() => void copy()}>
      <span aria-live="polite">{done.value || label}</span>
    </button>
  )
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?)/g

/** Formatted JSON; text nodes only, because the data comes from outside. */
function Json({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  const parts: ComponentChild[] = []
  let at = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon, word] = match
    const kind = string ? (colon ? 'key' : 'string') : word ? 'word' : 'number'
    parts.push(text.slice(at, match.index), <span class={kind}>{string ?? whole}</span>, string ? colon : undefined)
    at = match.index + whole.length
  }
  return (
    <Copied title={title} text={text}>
      {[...parts, text.slice(at)]}
    </Copied>
  )
}
