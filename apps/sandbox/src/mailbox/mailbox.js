// Polls for new mail every few seconds and refreshes the list beside the open mail.
const everyMs = 3000

async function refreshList() {
  if (document.hidden || new URLSearchParams(location.search).has('before')) return
  const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('nav')
  const current = document.querySelector('nav')
  if (!fresh || !current || fresh.innerHTML === current.innerHTML) return
  const focused = current.contains(document.activeElement) ? document.activeElement?.getAttribute('href') : null
  current.replaceChildren(...fresh.childNodes)
  if (focused) current.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
}

// A page that answers a form cannot be fetched again by its URL.
if (location.pathname === '/mailbox') setInterval(() => refreshList().catch(() => {}), everyMs)
