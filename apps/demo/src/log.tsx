// The log of the app's server: requests to the platform and received updates, each with its content.

import { Icon } from '@lendloom/design/icon'
import { check } from '@lendloom/design/icons'
import { useSignal } from '@preact/signals'
import type { ComponentChild, ComponentChildren } from 'preact'
import { entries, type LogEntry } from './state.ts'

const channelNames = {
  call: 'server to platform',
  webhook: 'webhook to server',
  window: 'page to app',
  control: 'page to app',
}

export function EventLog() {
  const showsControl = useSignal(false)
  const visibleEntries = entries.value.filter(({ channel }) => showsControl.value || channel !== 'control')
  return (
    <section class="log" aria-labelledby="log">
      <div class="bar">
        <h2 id="log">Your server</h2>
        <label>
          <input
            type="checkbox"
            onChange={(event) => {
              showsControl.value = event.currentTarget.checked
            }}
          />
          Show control messages
        </label>
      </div>
      {visibleEntries.length === 0 && (
        <p class="empty">
          Start a journey. Your server’s requests and all lifecycle updates appear here as they arrive: signed webhooks,
          and messages to the page.
        </p>
      )}
      <ol aria-live="polite">
        {visibleEntries.toReversed().map((entry) => (
          <li key={`${entry.channel} ${entry.title} ${entry.at.getTime()}`}>
            <Line entry={entry} />
          </li>
        ))}
      </ol>
    </section>
  )
}

/** With its day if the platform's clock was moved to another one. */
const timeText = (at: Date): string =>
  at.toDateString() === new Date().toDateString()
    ? at.toLocaleTimeString('en-GB')
    : `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })}, ${at.toLocaleTimeString('en-GB')}`

function Line({ entry: { channel, at, title, explanation, headers, verified, curl, content } }: { entry: LogEntry }) {
  const isOpen = useSignal(false)
  return (
    <details
      class={channel}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <time>{timeText(at)}</time>
        <span class="what">
          <b>{title}</b>
          {explanation && <span>{explanation}</span>}
        </span>
        <span class="marks">
          <span class="badge">{channelNames[channel]}</span>
          {verified && (
            <span class="badge good">
              <Icon path={check} />
              signature verified
            </span>
          )}
        </span>
      </summary>
      {isOpen.value && (
        <>
          {curl && <CopyableBlock title="As curl" text={curl} />}
          {headers && <Json title="Headers" value={headers} />}
          <Json title={curl ? 'Response' : 'Body'} value={content} />
        </>
      )}
    </details>
  )
}

interface CopyableBlockProps {
  title: string
  text: string
  /** Replaces the text on screen, such as highlighted JSON. */
  children?: ComponentChildren
}

function CopyableBlock({ title, text, children = text }: CopyableBlockProps) {
  return (
    <figure>
      <figcaption>
        {title} <Copy text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <pre tabIndex={0}>{children}</pre>
    </figure>
  )
}

interface CopyProps {
  text: string
  label?: string
  look?: string
}

/** Copies a text and shows the result for a moment. */
export function Copy({ text, label = 'Copy', look = 'secondary small' }: CopyProps) {
  const status = useSignal('')
  const copy = async () => {
    status.value = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Blocked by the browser',
    )
    setTimeout(() => {
      status.value = ''
    }, 1500)
  }
  return (
    <button type="button" class={look} onClick={() => void copy()}>
      <span aria-live="polite">{status.value || label}</span>
    </button>
  )
}

const jsonToken = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?)/g

/** Highlighted JSON; text nodes only, because the data is untrusted. */
function Json({ title, value }: { title: string; value: unknown }) {
  const text = JSON.stringify(value, null, 2)
  const parts: ComponentChild[] = []
  let position = 0
  for (const match of text.matchAll(jsonToken)) {
    const [whole, string, colon, word] = match
    const kind = string ? (colon ? 'key' : 'string') : word ? 'word' : 'number'
    parts.push(
      text.slice(position, match.index),
      <span class={kind}>{string ?? whole}</span>,
      string ? colon : undefined,
    )
    position = match.index + whole.length
  }
  return (
    <CopyableBlock title={title} text={text}>
      {[...parts, text.slice(position)]}
    </CopyableBlock>
  )
}
