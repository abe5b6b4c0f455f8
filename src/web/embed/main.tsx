// Starts the page: wakes the prerendered form up at once, then opens the session and keeps it fresh.
import './style.css'
import './form.css'
import { effect } from '@preact/signals'
import { hydrate, render } from 'preact'
import { App } from './app.tsx'
import { idOf } from './form/field.tsx'
import { newKey, sendTo } from './page/api.ts'
import { bootIn } from './page/boot.ts'
import { hostOf } from './page/bridge.ts'
import { loadDeferred } from './page/deferred.tsx'
import { here } from './page/here.ts'
import { memoryOf, tokenIn } from './page/memory.ts'
import { sessionIn } from './page/session.ts'
import { shared } from './page/shared.ts'
import { part, set } from './profile/profile-form.ts'
import { language, setLanguage, t } from './text.ts'

const boot = bootIn(document)
const host = hostOf(window, boot.hostOrigins)
const memory = memoryOf(window, newKey)
const later = (act: () => void, ms: number) => {
  const timer = setTimeout(act, ms)
  return () => clearTimeout(timer)
}
const session = sessionIn({ send: sendTo('/api/embed', (...of) => fetch(...of), newKey()), memory, host, later })
Object.assign(here, {
  session,
  view: session.view,
  host,
  memory,
  boot,
  spoken: new Set(),
  openWindow: () => open('', '_blank'),
})
Object.assign(window, { lendloom: shared })

const root = document.getElementById('app')!
setLanguage(boot.language, boot.texts)
part.value = memory.kept.part ?? 0
// Another first screen over the prerendered one would inherit its attributes: it is drawn from nothing.
if (memory.kept.bootstrap && part.value === 0) {
  // Input from before the script ran is kept: rendering would empty the fields.
  for (const { id, name, value } of root.querySelectorAll<HTMLInputElement>('[type=text]'))
    if (value && id === idOf(name)) set(name, value)
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
    if (height !== sentHeight) host.tell({ type: 'lab.resize', height })
    sentHeight = height
  }).observe(root)
}

// A new link in the same frame only changes the fragment, which does not reload the page.
addEventListener('hashchange', () => {
  if (tokenIn(location.hash) !== null) location.reload()
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void session.ask()
})
addEventListener('pageshow', () => void session.ask())
addEventListener('online', () => void session.ask())
// Beside another window this one is never hidden: on focus it learns that another one has the journey.
addEventListener('focus', () => void session.ask())

host.tell({ type: 'lab.ready' })
void session.open()
void loadDeferred()
