// Looks for new mail every few seconds, and renews the list beside whatever is open.
const everyMs = 3000

async function look() {
  if (document.hidden || new URLSearchParams(location.search).has('before')) return
  const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('nav')
  const shown = document.querySelector('nav')
  if (!fresh || !shown || fresh.innerHTML === shown.innerHTML) return
  const focused = shown.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null
  shown.replaceChildren(...fresh.childNodes)
  if (focused) shown.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
}

// A page that answers a form has no address of its own to look at.
if (location.pathname === '/mailbox') setInterval(() => look().catch(() => {}), everyMs)
