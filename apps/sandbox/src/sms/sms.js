// Polls for new messages every two seconds and refreshes the list.
const everyMs = 2000

async function refreshMessages() {
  if (document.hidden) return
  const answer = await fetch(location.pathname + location.search, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#messages')
  const current = document.querySelector('#messages')
  if (fresh && current && fresh.innerHTML !== current.innerHTML) current.replaceChildren(...fresh.childNodes)
}

setInterval(() => refreshMessages().catch(() => {}), everyMs)
