// An OpenAPI document as a page that people read: groups, operations with an example each, every field. It runs no script.

import { readFileSync } from 'node:fs'
import { styleOf } from '#kit/design/style.ts'
import { markdown, markdownLine } from './markdown.ts'
import { Html, html, styleSource } from './markup.ts'
import { type Body, type Content, methods, type OpenApiDocument, type Operation, type Parameter } from './openapi.ts'
import {
  fieldsOf,
  type JsonSchema,
  ruleOf,
  type SchemaField,
  schemaName,
  type TypePart,
  typeOf,
} from './schema-fields.ts'
import { type Answer, answer } from './server.ts'

/** Where else a reader may look. */
export interface ReferenceLink {
  href: string
  text: string
}

/** An operation with the place that it is called at. */
interface Entry extends Operation {
  id: string
  method: string
  /** The path, or the name of a webhook, which has an address of the receiver's own. */
  place: string
  isWebhook: boolean
}

/** The page of a document; `file` is the address of the document itself, where it has one. It does not change while the program runs. */
export function referencePage(document: OpenApiDocument, file: string | null, links: ReferenceLink[] = []): Answer {
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: idOf(tag.name),
    entries: entriesOf(document).filter(({ tags }) => tags.includes(tag.name)),
  }))
  const schemas = Object.entries(document.components?.schemas ?? {})
  const page = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${document.info.title}: API reference</title><link rel="icon" href="/favicon.ico"><style>${new Html(style)}</style></head><body>
<a class="skip" href="#content">Skip to the reference</a>
<nav aria-label="Operations"><p class="name">${document.info.title} <small>${document.info.version}</small></p>
<ul><li><a href="#overview">Overview</a></li></ul>
${groups.map(({ id, name, entries }) => html`<p class="group"><a href="#${id}">${name}</a></p><ul>${entries.map(navigationItem)}</ul>`)}
${schemas.length > 0 && html`<p class="group"><a href="#schemas">Schemas</a></p>`}</nav>
<main id="content"><h1 id="overview">${document.info.title}: API reference</h1>
${markdown(document.info.description, 2)}
${overview(document, file, links)}
${groups.map(
  ({ id, name, description, entries }) => html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${markdown(description)}${entries.map((entry) => operation(entry, document))}</section>`,
)}
${
  schemas.length > 0 &&
  html`<section class="part" aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(namedSchema)}</section>`
}
</main></body></html>`
  return answer(200, `<!doctype html>\n${page.text}\n`, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; ${styleSource(style)}; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  })
}

function entriesOf({ paths, webhooks = {} }: OpenApiDocument): Entry[] {
  const from = (places: OpenApiDocument['paths'], isWebhook: boolean) =>
    Object.entries(places).flatMap(([place, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        if (!operation) return []
        const id = operation.operationId ?? idOf(place)
        return [{ ...operation, id, method: method.toUpperCase(), place, isWebhook }]
      }),
    )
  return [...from(paths, false), ...from(webhooks, true)]
}

const idOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const badge = ({ method, isWebhook }: Entry): Html =>
  html`<span class="method ${method.toLowerCase()}">${isWebhook ? 'HOOK' : method}</span>`

const navigationItem = (entry: Entry): Html =>
  html`<li><a href="#${entry.id}">${badge(entry)}<span>${shortPath(entry.place)}</span></a></li>`

/** The end of a path, by which it is told from its neighbours. */
const shortPath = (path: string): string => {
  const parts = path.split('/').filter(Boolean)
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : path
}

function overview(document: OpenApiDocument, file: string | null, links: ReferenceLink[]): Html {
  const credentials = Object.entries(document.components?.securitySchemes ?? {})
  return html`<dl class="facts">
${document.servers.map(({ url, description }) => html`<div><dt>Address</dt><dd><code>${url}</code> ${description}</dd></div>`)}
${credentials.map(([name, { description = '' }]) => html`<div><dt><code>${name}</code></dt><dd>${markdownLine(description)}</dd></div>`)}
${file !== null && html`<div><dt>Document</dt><dd><a href="${file}">OpenAPI 3.1</a>, for a client of your own</dd></div>`}
${links.map(({ href, text }) => html`<div><dt>See also</dt><dd><a href="${href}">${text}</a></dd></div>`)}</dl>`
}

function operation(entry: Entry, document: OpenApiDocument): Html {
  const { id, summary, description = '', place, isWebhook, parameters = [], requestBody, responses } = entry
  const credentials = (entry.security ?? []).flatMap((each) => Object.keys(each))
  return html`<article aria-labelledby="${id}"><h3 id="${id}">${summary}</h3>
<p class="call">${badge(entry)} <code>${isWebhook ? 'your address' : place}</code></p>
<div class="columns"><div>${markdown(description, 4)}
${credentials.length > 0 && html`<p>Credential: ${credentials.map((name) => html`<code>${name}</code> `)}</p>`}
${parameters.length > 0 && html`<h4>Parameters</h4>${fieldList(parameters.map(parameterField))}`}
${requestBody && bodyFields('Body', requestBody)}
${Object.entries(responses)
  .filter(([status]) => status.startsWith('2'))
  .map(([status, body]) => answerFields(status, body))}
${refusals(responses)}</div>
<div class="examples">${isWebhook ? example('Request', exampleOf(requestBody, document)) : curl(entry, document)}
${Object.entries(responses).map(([status, body]) => status.startsWith('2') && example(`Answer ${status}`, exampleOf(body, document)))}</div></div></article>`
}

const parameterField = ({ name, in: where, required = false, description, schema }: Parameter): SchemaField => ({
  path: name,
  type: [
    ...typeOf(schema),
    { text: where === 'path' ? ', in the path' : where === 'header' ? ', a header' : ', in the query' },
  ],
  isRequired: required,
  rule: description ?? ruleOf(schema),
})

const contentOf = (body: Body | undefined): Content | undefined => Object.values(body?.content ?? {})[0]

function bodyFields(title: string, body: Body): Html | null {
  const schema = contentOf(body)?.schema
  if (!schema) return null
  const fields = fieldsOf(schema)
  return html`<h4>${title}</h4>${fields.length > 0 ? fieldList(fields) : html`<p>${typeText(typeOf(schema))}</p>`}`
}

/** What is answered is long, and looked up more than read. */
function answerFields(status: string, body: Body): Html {
  const schema = contentOf(body)?.schema
  const fields = schema ? fieldsOf(schema) : []
  const title = html`<code>${status}</code> ${body.description}`
  if (!schema) return html`<p>${title}</p>`
  if (fields.length === 0) return html`<p>${title}: ${typeText(typeOf(schema))}</p>`
  return html`<details><summary>${title}: ${fields.length} fields</summary>${fieldList(fields)}</details>`
}

function refusals(responses: Operation['responses']): Html | null {
  const rest = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  if (rest.length === 0) return null
  return html`<details><summary>Refusals</summary><dl class="fields">${rest.map(([status, body]) => {
    const schema: JsonSchema | undefined = contentOf(body)?.schema
    const codes = schema?.properties?.error?.anyOf?.[0]?.properties?.code?.enum ?? []
    return html`<div><dt><code>${status === 'default' ? '4xx, 5xx' : status}</code></dt><dd>${body.description}${
      schema?.$ref !== undefined && html`: ${typeText(typeOf(schema))}`
    }${codes.length > 0 && html`: ${typeText(typeOf({ enum: codes }))}`}</dd></div>`
  })}</dl></details>`
}

const fieldList = (fields: SchemaField[]): Html =>
  html`<dl class="fields">${fields.map(
    ({ path, type, isRequired, rule }) =>
      html`<div><dt><code>${path}</code> <span class="type">${typeText(type)}</span>${!isRequired && html` <span class="optional">optional</span>`}</dt>${
        rule !== '' && html`<dd>${markdownLine(rule)}</dd>`
      }</div>`,
  )}</dl>`

const typeText = (parts: TypePart[]): Html =>
  html`${parts.map((part) =>
    'text' in part
      ? part.text
      : 'value' in part
        ? html`<code>${part.value}</code>`
        : html`<a href="#schema-${part.schema}">${part.schema}</a>`,
  )}`

function namedSchema([name, schema]: [string, JsonSchema]): Html {
  const fields = fieldsOf(schema)
  return html`<article aria-labelledby="schema-${name}"><h3 id="schema-${name}">${name}</h3>${
    schema.description !== undefined && markdown(schema.description, 4)
  }${
    fields.length > 0
      ? html`<details><summary>${fields.length} fields</summary>${fieldList(fields)}</details>`
      : html`<p>One of ${typeText(typeOf(schema))}</p>`
  }${schema.examples?.map((each) => example('Example', each))}</article>`
}

/** The example of a body, or of the schema that it names. */
function exampleOf(body: Body | undefined, { components }: OpenApiDocument): unknown {
  const content = contentOf(body)
  const schema: JsonSchema = content?.schema ?? {}
  const named: JsonSchema = schema.$ref === undefined ? schema : (components?.schemas?.[schemaName(schema.$ref)] ?? {})
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value ?? named.examples?.[0]
}

const example = (title: string, value: unknown): Html | null =>
  value === undefined ? null : block(title, JSON.stringify(value, null, 2))

const block = (title: string, text: string): Html =>
  html`<figure><figcaption>${title}</figcaption><div class="wide" tabindex="0" role="region" aria-label="${title}"><pre>${text}</pre></div></figure>`

/** The call as a command that can be copied; what is the caller's own stands for itself. */
function curl(entry: Entry, document: OpenApiDocument): Html {
  const { method, place, security = [], parameters = [], requestBody } = entry
  const given = exampleOf(requestBody, document)
  const headers = [
    ...(security.length > 0 ? ['Authorization: Bearer $TOKEN'] : []),
    ...parameters.filter((each) => each.in === 'header' && each.required).map(({ name }) => `${name}: …`),
  ]
  const lines = [
    `curl -X ${method} "${document.servers[0]?.url ?? ''}${place}"`,
    ...headers.map((header) => `-H "${header}"`),
    ...(given === undefined ? [] : Object.keys(requestBody?.content ?? {}).flatMap((type) => sent(type, given))),
  ]
  return block('Request', lines.join(' \\\n  '))
}

/** The options of curl that send a body. */
const sent = (type: string, body: unknown): string[] =>
  type === 'multipart/form-data'
    ? Object.entries(body ?? {}).map(([name, value]) => `-F "${name}=${name === 'file' ? '@' : ''}${value}"`)
    : [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(body, null, 2)}'`]

const style = styleOf(readFileSync(new URL('./reference.css', import.meta.url), 'utf8'))
