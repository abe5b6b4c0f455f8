// The committed OpenAPI documents, the list of their operations, and the index of decisions.

import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { openApiDocument } from '@lendloom/platform/operations/openapi'
import { exchangeApi } from '@lendloom/wire/exchange/openapi'
import { code, page, table } from './markdown.ts'

interface Operation {
  summary: string
  tags: string[]
  security?: Record<string, unknown>[]
}
interface Document {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
}

export const platformDocument = () => openApiDocument({ SANDBOX: true }, 'https://lendloom.example')

export const partnerDocument = (): object => exchangeApi({ partnerUrl: 'https://partner.example' })

export const asFile = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

export function operationPage(): string {
  const [platform, partner]: [Document, Document] = JSON.parse(JSON.stringify([platformDocument(), partnerDocument()]))
  return page(
    'HTTP operations',
    'A running platform documents every operation with fields, an example and a command at `/docs`, and the partner exchange at `/docs/partner-exchange`. The OpenAPI 3.1 files are [platform.json](openapi/platform.json) for integrators and [partner.json](openapi/partner.json) for lenders, which Postman and other tools import. The platform serves its own at the stable URLs `/openapi.json` and `/openapi/2026-11-01.json` (by version), with an `ETag` and for any origin.',
    ...groups(platform),
    ...groups(partner),
  )
}

function groups({ tags, paths, webhooks = {} }: Document): string[] {
  const all = [
    ...Object.entries(paths).flatMap(([path, methods]) => operations(path, methods)),
    ...Object.entries(webhooks).flatMap(([name, methods]) => operations(`(webhook ${name})`, methods)),
  ]
  return tags.flatMap(({ name, description }) => [
    `## ${name}`,
    description,
    table(
      ['Operation', 'What it does', 'Credential'],
      all.filter(({ tag }) => tag === name).map(({ title, summary, credential }) => [code(title), summary, credential]),
    ),
  ])
}

const operations = (path: string, methods: Record<string, Operation>) =>
  Object.entries(methods)
    .filter(([, { summary }]) => summary !== undefined)
    .map(([method, { summary, tags, security = [] }]) => ({
      tag: tags[0],
      title: `${method.toUpperCase()} ${path}`,
      summary,
      credential: security
        .flatMap((each) => Object.keys(each))
        .map(code)
        .join(', '),
    }))

const folder = join(import.meta.dirname, '..', '..', 'docs', 'decisions')

export interface Decision {
  file: string
  number: string
  title: string
  decidedOn: string | undefined
}

export const decisions = (): Decision[] =>
  globSync('[0-9]*.md', { cwd: folder })
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [, title = ''] = /^# (.+)$/m.exec(text) ?? []
      const [, decidedOn] = /^Decided on (\d{4}-\d{2}-\d{2})\.$/m.exec(text) ?? []
      return { file: basename(file), number: file.slice(0, 4), title, decidedOn }
    })

export const decisionIndex = (): string =>
  page(
    'Decisions',
    'One page for each decision that is not obvious. A new page takes the next number and has its date; `npm run docs` lists it here. A replaced decision stays and links to its successor.',
    table(
      ['Number', 'Decision', 'Decided on'],
      decisions().map(({ number, title, file, decidedOn = '' }) => [number, `[${title}](${file})`, decidedOn]),
    ),
  )
