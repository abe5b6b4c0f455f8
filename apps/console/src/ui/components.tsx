// Components that many screens use: badges, times, identifiers to copy, addresses, loading and empty states, and
// errors.

import { Icon } from '@lendloom/design/icon'
import { arrowLeft, cross, type StateTone, stateIcons } from '@lendloom/design/icons'
import { exactText, zonedText } from '@lendloom/lending/time-text'
import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { ApiError } from '../api.ts'
import { segments, to } from '../router.ts'
import { ago, inIndiaAs, logText } from './clock.ts'
import { shortId } from './code-labels.ts'

export type Tone = StateTone

export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>
    <Icon path={stateIcons[tone]} />
    {children}
  </span>
)

/** What failed, as the first words of a notice. */
export const Failed = ({ children }: { children: ComponentChildren }) => (
  <strong>
    <Icon path={cross} /> {children}
  </strong>
)

interface CrumbsProps {
  /** The list that the page belongs to. */
  href: string
  name: string
  /** What stands between the list and the page. */
  children?: ComponentChildren
}

export const Crumbs = ({ href, name, children }: CrumbsProps) => (
  <nav aria-label="Breadcrumbs" class="crumbs">
    <a href={href}>
      <Icon path={arrowLeft} />
      {name}
    </a>
    {children}
  </nav>
)

/** A time in these words, with the exact time in its tooltip. */
export const TimeText = ({ at, text }: { at: string; text: string }) => (
  <time dateTime={at} title={zonedText(new Date(at))}>
    {text}
  </time>
)

/** A relative time. `exact` shows the exact time, with seconds. */
export const Time = ({ at, exact = false }: { at: string; exact?: boolean }) => (
  <TimeText at={at} text={exact ? exactText(new Date(at)) : ago(at)} />
)

/** The time of a line in a log, which is the exact one: many are of the same minute. */
export const LogTime = ({ at }: { at: string }) => <TimeText at={at} text={logText(at)} />

export const Day = ({ on }: { on: string }) => (
  <time dateTime={on} title={on}>
    {inIndiaAs('date', on)}
  </time>
)

/** Returns whether the text was just copied, and the function that copies it. */
export function useCopy(text: string): [isCopied: boolean, copy: () => Promise<void>] {
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, 1500)
  }
  return [isCopied.value, copy]
}

/** A shortened identifier; a click copies it in full. */
export function Id({ value, whole = false }: { value: string; whole?: boolean }) {
  const [isCopied, copy] = useCopy(value)
  const onClick = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    return copy()
  }
  return (
    <button type="button" class="id" title={`Copy ${value}`} onClick={onClick}>
      {isCopied ? 'Copied' : whole ? value : shortId(value)}
    </button>
  )
}

/** A text to copy, with a button that says so. */
export function Copyable({ text }: { text: string }) {
  const [isCopied, copy] = useCopy(text)
  return (
    <p class="copyable spread">
      <code>{text}</code>
      <SmallButton onClick={copy}>{isCopied ? 'Copied' : 'Copy'}</SmallButton>
    </p>
  )
}

/** A URL or email address, which breaks at `/`, `@` and a name's `.` rather than within a word. */
export const Breaking = ({ text }: { text: string }) => (
  <span class="address">
    {text.split(/(?<=[/@])|(?=\.\D|:\d)/).map((part, i) => (
      <Fragment key={i}>
        {part}
        <wbr />
      </Fragment>
    ))}
  </span>
)

export const Loading = ({ rows = 6 }: { rows?: number }) => (
  <div class="loading" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, i) => (
      <span key={i} />
    ))}
  </div>
)

/** The empty state of a list. The content says what will appear and how to create it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <h2>{title}</h2>
    {children}
  </div>
)

/** Whether a retry cannot help, because the object is absent or forbidden. */
const isPermanent = (error: unknown): boolean => error instanceof ApiError && [403, 404].includes(error.status)

/** An error message with the correlation id and a retry button. */
export function Trouble({ error, retry }: { error: unknown; retry?: () => void }) {
  const isKnown = error instanceof ApiError
  const [area] = segments.value
  const isBadLink = isKnown && error.fields.some(({ message }) => message === 'must be an id')
  if (isKnown && (error.status === 404 || isBadLink) && area !== undefined && segments.value.length > 1)
    return (
      <div role="alert">
        <Empty title="Not found">
          <p>{isBadLink ? 'This link is not complete or no longer valid.' : error.message}</p>
          <p>
            <a href={to(area)}>Back to the list</a>
          </p>
        </Empty>
      </div>
    )
  return (
    <div class="notice bad" role="alert">
      <p>{isKnown ? error.message : 'Something went wrong on this page. Reload it.'}</p>
      {isKnown && error.correlationId && (
        <p class="quiet">
          For support: <Id value={error.correlationId} />
        </p>
      )}
      {retry && !isPermanent(error) && (
        <button type="button" class="secondary" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

export const PageHead = ({
  title,
  about,
  children,
}: {
  title: string
  about?: ComponentChildren
  children?: ComponentChildren
}) => (
  <div class="page-head">
    <div>
      <h1>{title}</h1>
      {about && <p class="quiet">{about}</p>}
    </div>
    {children && <div class="acts">{children}</div>}
  </div>
)

interface SmallButtonProps {
  isDanger?: boolean
  onClick(): void
  children: ComponentChildren
}

export const SmallButton = ({ isDanger = false, onClick, children }: SmallButtonProps) => (
  <button type="button" class={`secondary small ${isDanger ? 'fault' : ''}`} onClick={onClick}>
    {children}
  </button>
)
