// Starts the page: hydrates the prerendered form, opens the session, and refreshes it on browser events.
import './style.css'
import './form.css'
import { effect, signal } from '@preact/signals'
import { hydrate, render } from 'preact'
import { App } from './app.tsx'
import { idOf } from './form/field.tsx'
import { newKey, sendTo } from './page/api.ts'
import { bootIn } from './page/boot-config.ts'
import { loadDeferred } from './page/deferred-content.tsx'
import { hostOf } from './page/host-messages.ts'
import { type EmbedPage, page } from './page/page-state.ts'
import { memoryOf, tokenIn } from './page/reload-memory.ts'
import { sessionIn } from './page/session.ts'
import { shared } from './page/shared-exports.ts'
import { part, setProfileValue } from './profile/profile-form.ts'
import { language, setLanguage, t } from './text.ts'

const boot = bootIn(document)
const host = hostOf(window, boot.hostOrigins)
const memory = memoryOf(window, newKey)
const schedule = (action: () => void, ms: number) => {
  const timer = setTimeout(action, ms)
  return () => clearTimeout(timer)
}
const session = sessionIn({ send: sendTo('/api/embed', (...args) => fetch(...args), newKey()), memory, host, schedule })
Object.assign(page, {
  session,
  view: session.view,
  host,
  memory,
  boot,
  openPayment: signal<string | null>(null),
  titles: signal(0),
  texts: new Set(),
  openWindow: () => open('', '_blank'),
} satisfies Partial<Record<keyof EmbedPage, unknown>>)
Object.assign(window, { lendloom: shared })

const root = document.getElementById('app')!
setLanguage(boot.language, boot.texts)
part.value = memory.stored.part ?? 0
// Only the prerendered screen can be hydrated. Another screen would inherit its attributes, so it replaces the markup.
if (memory.stored.bootstrap && part.value === 0 && !boot.isFormSent) {
  // Keeps input from before the script ran, which rendering would clear.
  for (const { id, name, value } of root.querySelectorAll<HTMLInputElement>('[type=text]'))
    if (value && id === idOf(name)) setProfileValue(name, value)
  hydrate(<App />, root)
} else {
  root.replaceChildren()
  render(<App />, root)
}

effect(() => {
  document.documentElement.lang = language.value
  document.title = t('page.title')
})

if (host.framed) {
  let sentHeight = 0
  new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height)
    if (height !== sentHeight) host.send({ type: 'lab.resize', height })
    sentHeight = height
  }).observe(root)
}

// A new link in the same frame only changes the fragment, which does not reload the page.
addEventListener('hashchange', () => {
  if (tokenIn(location.hash) !== null) location.reload()
})
// A window beside another one is never hidden, so it also checks on focus whether another page took over the journey.
for (const event of ['visibilitychange', 'pageshow', 'online', 'focus'])
  addEventListener(event, () => {
    if (!document.hidden) void session.refresh()
  })

host.send({ type: 'lab.ready' })
void session.open()
void loadDeferred()
