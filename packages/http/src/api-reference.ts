// Renders an OpenAPI document as a web page: groups, operations with examples, and all fields. The page's script
// provides the search and the example calls.

import { readFileSync } from 'node:fs'
import { controls, styleOf, themesFor } from '@lendloom/design/style'
import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import {
  fieldsOf,
  type JsonSchema,
  ruleOf,
  type SchemaField,
  schemaName,
  type TypePart,
  typeOf,
} from '@lendloom/foundation/schema-fields'
import type * as marked from 'marked'
import {
  callSamples,
  contentOf,
  exampleBlock,
  exampleOf,
  type ReferenceEntry,
  schemaOf,
  tryItBlock,
} from './api-reference-calls.ts'
import { Html, html } from './markup.ts'
import { type Body, methods, type OpenApiDocument, type Operation, type Parameter } from './openapi-document.ts'
import { pageAnswer, sourceOf } from './page-frame.ts'
import { languages } from './sample-calls.ts'
import type { Answer } from './server.ts'

interface ReferenceLink {
  href: string
  text: string
}

export interface ReferenceOptions {
  links?: ReferenceLink[]
  /** Whether readers may call the operations from the page; only if this program serves them itself. */
  mayTry?: boolean
}

/** Renders the page of a document. `file` is the address of the JSON document, or null if it is not served. */
export function referencePage(document: OpenApiDocument, file: string | null, options: ReferenceOptions = {}): Answer {
  const { links = [], mayTry = false } = options
  const groups = document.tags.map((tag) => ({
    ...tag,
    id: idOf(tag.name),
    entries: entriesOf(document).filter(({ tags }) => tags.includes(tag.name)),
  }))
  const schemas = Object.entries(document.components?.schemas ?? {})
  const body = html`<a class="skip" href="#content">Skip to the reference</a>
<nav aria-label="Operations"><p class="name">${document.info.title} <small>${document.info.version}</small></p>
<div class="tools"><input type="search" id="search" placeholder="Search operations and schemas" aria-label="Search operations and schemas"><fieldset><legend class="unseen">Language of the samples</legend>${languages.map(([id, name]) => html`<label><input type="radio" name="language" value="${id}">${name}</label>`)}</fieldset></div>
<ul><li><a href="#overview">Overview</a></li></ul>
${groups.map(({ id, name, entries }) => html`<p class="group"><a href="#${id}">${name}</a></p><ul>${entries.map(navigationItem)}</ul>`)}
${schemas.length > 0 && html`<p class="group"><a href="#schemas">Schemas</a></p>`}</nav>
<main id="content"><h1 id="overview">${document.info.title}: API reference</h1>
${markdown(document.info.description, 2)}
${overview(document, file, links)}
<p id="none" role="status" hidden>No operation or schema matches the search.</p>
${groups.map(
  ({ id, name, description, entries }) => html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${name}</h2>
${markdown(description)}${entries.map((entry) => operationArticle(entry, document, mayTry))}</section>`,
)}
${
  schemas.length > 0 &&
  html`<section class="part" aria-labelledby="schemas"><h2 id="schemas">Schemas</h2>${schemas.map(namedSchema)}</section>`
}
</main><script type="module">${new Html(script)}</script>`
  return pageAnswer({
    title: `${document.info.title}: API reference`,
    style,
    body,
    policy: {
      'script-src': sourceOf(script),
      ...(mayTry && { 'connect-src': `'self'` }),
    },
    // The console has the same opener policy, so that it can open the page and send it an API key.
    headers: { 'cache-control': 'no-cache', 'cross-origin-opener-policy': 'same-origin' },
  })
}

function entriesOf({ paths, webhooks = {} }: OpenApiDocument): ReferenceEntry[] {
  const entriesIn = (items: OpenApiDocument['paths'], isWebhook: boolean) =>
    Object.entries(items).flatMap(([place, item]) =>
      methods.flatMap((method) => {
        const operation = item[method]
        if (!operation) return []
        const id = operation.operationId ?? idOf(place)
        return [{ ...operation, id, method: method.toUpperCase(), place, isWebhook }]
      }),
    )
  return [...entriesIn(paths, false), ...entriesIn(webhooks, true)]
}

const idOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '-')

const badge = ({ method, isWebhook }: ReferenceEntry): Html =>
  html`<span class="method ${method.toLowerCase()}">${isWebhook ? 'HOOK' : method}</span>`

const navigationItem = (entry: ReferenceEntry): Html =>
  html`<li><a href="#${entry.id}">${badge(entry)}<span>${shortPath(entry.place)}</span></a></li>`

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

function operationArticle(entry: ReferenceEntry, document: OpenApiDocument, mayTry: boolean): Html {
  const { id, summary, description = '', place, isWebhook, parameters = [], requestBody, responses } = entry
  const credentials = (entry.security ?? []).flatMap((each) => Object.keys(each))
  return html`<article aria-labelledby="${id}"><h3 id="${id}">${summary}</h3>
<p class="call">${badge(entry)} <code>${isWebhook ? 'your address' : place}</code></p>
<div class="columns"><div>${markdown(description, 4)}
${credentials.length > 0 && html`<p>Credential: ${credentials.map((name) => html`<code>${name}</code> `)}</p>`}
${parameters.length > 0 && html`<h4>Parameters</h4>${fieldList(parameters.map(parameterField))}`}
${requestBody && bodyFields('Body', requestBody, document)}
${Object.entries(responses)
  .filter(([status]) => status.startsWith('2'))
  .map(([status, body]) => answerFields(status, body, document))}
${refusalList(responses, document)}</div>
<div class="examples">${isWebhook ? exampleBlock('Request', exampleOf(requestBody, document)) : callSamples(entry, document)}
${Object.entries(responses).map(([status, body]) => status.startsWith('2') && exampleBlock(`Answer ${status}`, exampleOf(body, document)))}
${mayTry && !isWebhook && tryItBlock(entry, document)}</div></div></article>`
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

function bodyFields(title: string, body: Body, document: OpenApiDocument): Html | null {
  const schema = schemaOf(body, document)
  if (!schema) return null
  const fields = fieldsOf(schema)
  return html`<h4>${title}</h4>${typeLink(body)}${fields.length > 0 ? fieldList(fields) : html`<p>${typeText(typeOf(schema))}</p>`}`
}

function typeLink(body: Body): Html | null {
  const schema: JsonSchema = contentOf(body)?.schema ?? {}
  return schema.$ref === undefined ? null : html`<p>${typeText(typeOf(schema))}</p>`
}

/** Answer fields are collapsed, because they are long and rarely read in full. */
function answerFields(status: string, body: Body, document: OpenApiDocument): Html {
  const schema = schemaOf(body, document)
  const fields = schema ? fieldsOf(schema) : []
  const title = html`<code>${status}</code> ${body.description}`
  if (!schema) return html`<p>${title}</p>`
  if (fields.length === 0) return html`<p>${title}: ${typeText(typeOf(schema))}</p>`
  return html`<details><summary>${title}: ${fields.length === 1 ? '1 field' : `${fields.length} fields`}</summary>${typeLink(body)}${fieldList(fields)}</details>`
}

function refusalList(responses: Operation['responses'], { components }: OpenApiDocument): Html | null {
  const failures = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  if (failures.length === 0) return null
  return html`<details><summary>Refusals</summary><dl class="fields">${failures.map(([status, body]) => {
    const { description, content } =
      body.$ref === undefined ? body : (components?.responses?.[schemaName(body.$ref)] ?? {})
    const schema: JsonSchema | undefined = contentOf({ content: content ?? {} })?.schema
    return html`<div><dt><code>${status === 'default' ? '4xx, 5xx' : status}</code></dt><dd>${markdownLine(description ?? '')}${schema?.$ref !== undefined && html`. ${typeText(typeOf(schema))}`}</dd></div>`
  })}</dl></details>`
}

const fieldList = (fields: SchemaField[]): Html =>
  html`<dl class="fields">${fields.map(
    ({ path, type, isRequired, rule }) =>
      html`<div><dt><code>${path}</code> <span class="type">${typeText(type)}</span>${!isRequired && html` <span class="optional">optional</span>`}</dt>${
        rule !== '' && html`<dd>${markdownLine(rule)}</dd>`
      }</div>`,
  )}</dl>`

const typeText = (parts: TypePart[]): Html => html`${parts.map(typePartText)}`

function typePartText(part: TypePart): Html | string {
  if ('text' in part) return part.text
  if ('value' in part) return html`<code>${part.value}</code>`
  return html`<a href="#schema-${part.schema}">${part.schema}</a>`
}

function namedSchema([name, schema]: [string, JsonSchema]): Html {
  const fields = fieldsOf(schema)
  return html`<article aria-labelledby="schema-${name}"><h3 id="schema-${name}">${name}</h3>${
    schema.description !== undefined && markdown(schema.description, 4)
  }${
    fields.length > 0
      ? html`<details><summary>${fields.length} fields</summary>${fieldList(fields)}</details>`
      : html`<p>One of ${typeText(typeOf(schema))}</p>`
  }${schema.examples?.map((example) => exampleBlock('Example', example))}</article>`
}

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
const rules = read('reference.css')
const style = styleOf(rules) + themesFor(controls + rules)
const script = read('reference.js')

const loadMarked = lazily((): typeof marked => load('marked'))

/**
 * Renders Markdown as HTML. HTML in the text is not escaped, so the text must be our own. The top headings get the
 * level `topLevel`, to fit below the page's headings.
 */
function markdown(text: string, topLevel = 3): Html {
  const { Lexer, Parser } = loadMarked()
  return new Html(
    Parser.parse(Lexer.lex(text))
      .replace(/<(\/?)h(\d)>/g, (_, slash, level) => `<${slash}h${Math.min(6, Number(level) + topLevel - 1)}>`)
      // Tables and examples that are wider than the screen can be scrolled, also by keyboard.
      .replace(/<(pre|table)>/g, '<div class="wide" tabindex="0"><$1>')
      .replace(/<\/(pre|table)>/g, '</$1></div>'),
  )
}

function markdownLine(text: string): Html {
  const { Lexer, Parser } = loadMarked()
  return new Html(Parser.parseInline(Lexer.lexInline(text)))
}
