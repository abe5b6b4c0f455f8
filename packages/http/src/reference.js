// What the reference page does beside being read: it searches, shows samples in the reader's language, and makes calls.
const root = document.documentElement
const make = (name, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(name), properties)
  element.append(...children)
  return element
}

// Search: an operation or a schema is shown when it has every word.
const search = document.querySelector('#search')
const none = document.querySelector('#none')
const articles = [...document.querySelectorAll('article')].map((article) => {
  const id = article.getAttribute('aria-labelledby')
  const link = document.querySelector(`nav a[href="#${CSS.escape(id)}"]`)
  return { article, item: link?.parentElement, text: article.textContent.toLowerCase() }
})
search.addEventListener('input', () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  for (const { article, item, text } of articles) {
    article.hidden = !words.every((word) => text.includes(word))
    if (item) item.hidden = article.hidden
  }
  for (const part of document.querySelectorAll('.part')) {
    part.hidden = !part.querySelector('article:not([hidden])')
    const group = document.querySelector(`.group a[href="#${CSS.escape(part.getAttribute('aria-labelledby'))}"]`)
    if (group) group.parentElement.hidden = part.hidden
  }
  none.hidden = words.length === 0 || articles.some(({ article }) => !article.hidden)
})

// Samples: one choice for the whole page, kept in this browser.
const name = 'reference-language'
const kept = (name) => {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
const radios = [...document.querySelectorAll('[name=language]')]
const choose = (language) => {
  root.dataset.language = language
  try {
    localStorage.setItem(name, language)
  } catch {
    // A browser that keeps nothing shows it until the page is left.
  }
}
for (const radio of radios) radio.addEventListener('change', () => choose(radio.value))
const first = radios.find(({ value }) => value === kept(name)) ?? radios[0]
first.checked = true
root.dataset.language = first.value

for (const figure of document.querySelectorAll('figure')) {
  const button = make('button', { type: 'button', className: 'secondary small', textContent: 'Copy' })
  button.addEventListener('click', async () => {
    const text = figure.querySelector('pre').textContent
    button.textContent = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Not allowed',
    )
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
  figure.querySelector('figcaption').append(button)
}

// Calls: what the reader types stays in the memory of this page.
let token = ''

// The console's theme applies here too, and a page of this origin that opened the reference may send an API key.
root.dataset.theme = kept('console-theme') ?? ''
const samples = [...document.querySelectorAll('[data-sample] pre')].map((pre) => {
  const call = pre.closest('article').querySelector('.try')?.dataset.call
  return { pre, text: pre.textContent, needsKey: call !== undefined && JSON.parse(call).credential === 'apiKey' }
})
addEventListener('message', ({ origin, source, data }) => {
  if (origin !== location.origin || source !== opener || typeof data?.apiKey !== 'string') return
  token = data.apiKey
  for (const { pre, text, needsKey } of samples)
    if (needsKey) pre.textContent = token === '' ? text : text.replace(/\$?\bTOKEN\b/g, token)
  for (const input of document.querySelectorAll('input[data-credential=apiKey]')) input.value = token
})
opener?.postMessage('ready', location.origin)
for (const details of document.querySelectorAll('.try'))
  details.addEventListener(
    'toggle',
    () => details.open && !details.querySelector('form') && details.append(formOf(details)),
  )

function formOf(details) {
  const { method, place, parameters, body, credential } = JSON.parse(details.dataset.call)
  const field = (label, input) => make('label', {}, label, input)
  const inputs = parameters.map((parameter) => ({
    ...parameter,
    input: make('input', { required: parameter.required, autocomplete: 'off', spellcheck: false }),
  }))
  const key = credential && make('input', { type: 'password', autocomplete: 'off', value: token, required: true })
  if (key) key.dataset.credential = credential
  const sent =
    body !== null &&
    make('textarea', { rows: Math.min(body.split('\n').length + 1, 16), value: body, spellcheck: false })
  const result = make('div', { className: 'result', ariaLive: 'polite' })
  const form = make(
    'form',
    {},
    ...(key ? [field(`Credential (${credential}); it stays in the memory of this page`, key)] : []),
    ...inputs.map(({ name, where, input }) =>
      field(`${name}, ${where === 'path' ? 'in the path' : where === 'query' ? 'in the query' : 'a header'}`, input),
    ),
    ...(sent ? [field('Body', sent)] : []),
    make('button', { className: 'primary', textContent: `Send ${method}` }),
    result,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (key) token = key.value.trim()
    const given = (where) => inputs.filter((each) => each.where === where && each.input.value !== '')
    const path = given('path').reduce(
      (path, { name, input }) => path.replace(`{${name}}`, encodeURIComponent(input.value)),
      place,
    )
    const query = new URLSearchParams(given('query').map(({ name, input }) => [name, input.value]))
    const headers = new Headers(given('header').map(({ name, input }) => [name, input.value]))
    if (key) headers.set('authorization', `Bearer ${token}`)
    if (sent) headers.set('content-type', 'application/json')
    result.replaceChildren('Sending…')
    const address = query.size > 0 ? `${path}?${query}` : path
    const options = { method, headers, credentials: 'omit', ...(sent && { body: sent.value }) }
    const answer = await fetch(address, options).catch(() => null)
    if (!answer) return result.replaceChildren('No answer came. Is the platform running?')
    const text = await answer.text()
    result.replaceChildren(
      make('p', {}, make('b', { textContent: `${answer.status} ${answer.statusText}` })),
      make('pre', { tabIndex: 0, textContent: pretty(text) }),
    )
  })
  return form
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
root.classList.add('scripted')
