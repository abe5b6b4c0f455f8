// Sample calls with our packages for servers, which the API reference shows beside those of plain HTTP.

import { ownValue } from '@lendloom/foundation/record'
import { methods, type OpenApiDocument, type Operation } from '@lendloom/http/openapi-document'

/** A sample as reference pages read it from an operation (`x-codeSamples`). */
export interface CodeSample {
  lang: string
  label: string
  source: string
}

/** Adds a sample for each package to the operations that its clients have as methods. */
export function withPackageSamples(document: OpenApiDocument): OpenApiDocument {
  const baseUrl = document.servers[0]?.url ?? ''
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const sampled = methods.flatMap((method) => {
      const operation = item[method]
      return operation ? [[method, { ...operation, 'x-codeSamples': samplesOf(operation, path, baseUrl) }]] : []
    })
    return [path, { ...item, ...Object.fromEntries(sampled) }]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

interface SampledCall {
  /** The name of the operation, which is that of the method. */
  name: string
  /** The credential: an API key, or a borrower's token. */
  scheme: string
  /** The parameters of the path. */
  params: string[]
  /** The example of the body; undefined without a body. */
  body: unknown
  baseUrl: string
}

function samplesOf(operation: Operation, path: string, baseUrl: string): CodeSample[] {
  const call: SampledCall = {
    name: operation.operationId ?? '',
    scheme: Object.keys(operation.security?.[0] ?? {})[0] ?? '',
    params: Array.from(path.matchAll(/\{(\w+)\}/g), ([, param = '']) => param),
    body: exampleOf(operation),
    baseUrl,
  }
  return [
    { lang: 'javascript', label: '@lendloom/server', source: nodeSample(call) },
    { lang: 'python', label: 'lendloom', source: pythonSample(call) },
  ]
}

function exampleOf({ requestBody }: Operation): unknown {
  const [content] = Object.values(requestBody?.content ?? {})
  return content?.example ?? Object.values(content?.examples ?? {})[0]?.value
}

function nodeSample({ name, scheme, params, body, baseUrl }: SampledCall): string {
  const client = `import { lendloom } from '@lendloom/server'\n\nconst client = lendloom({ baseUrl: '${baseUrl}', apiKey: 'YOUR_API_KEY' })`
  const borrower = `${client}\n// The token pair of client.createHeadlessSession; it is renewed before it ends\nconst borrower = client.borrower({ tokens })`
  const text = body === undefined ? undefined : json(body)
  if (name === 'createSession') return `${client}\nconst { embedUrl, isNew } = await client.createSession(${text})`
  if (scheme === 'refreshToken') return borrower
  const given = params.map((param) => `${param}: '${placeholderOf(param)}'`)
  const input = [
    ...(given.length > 0 ? [`params: { ${given.join(', ')} }`] : []),
    ...(text === undefined ? [] : [`body: ${text.replaceAll('\n', '\n  ')}`]),
  ]
  const args = input.length > 0 ? `{\n  ${input.join(',\n  ')},\n}` : ''
  return scheme === 'apiKey'
    ? `${client}\nconst answer = await client.${name}(${args})`
    : `${borrower}\nconst answer = await borrower.${name}(${args})`
}

function pythonSample({ name, scheme, params, body, baseUrl }: SampledCall): string {
  const client = `from lendloom import Client\n\nclient = Client("${baseUrl}", "YOUR_API_KEY")`
  const borrower = `${client}\n# The token pair of client.create_headless_session; it is renewed before it ends\nborrower = client.borrower(tokens)`
  const text = body === undefined ? undefined : pythonLiteral(body)
  if (name === 'createSession')
    return `${client}\nsession = client.create_session(${text})\nprint(session.embed_url, session.is_new)`
  if (scheme === 'refreshToken') return borrower
  const given = params.map((param) => `"${placeholderOf(param)}"`)
  const call = `${snakeCase(name)}(${[...given, ...(text === undefined ? [] : [text])].join(', ')})`
  return scheme === 'apiKey' ? `${client}\nprint(client.${call})` : `${borrower}\nprint(borrower.${call})`
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** `journeyID` as `JOURNEY_ID`. */
const placeholderOf = (param: string): string => param.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** Writes JSON as Python: replaces null, true and false outside strings. */
const pythonLiteral = (value: unknown): string =>
  json(value).replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (token) => ownValue(pythonWords, token) ?? token)
const pythonWords: Record<string, string> = { null: 'None', true: 'True', false: 'False' }
