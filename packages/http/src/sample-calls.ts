// Generates sample code of an API call in several languages.
import { ownValue } from '@lendloom/foundation/record'

export const languages = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['python', 'Python'],
] as const
export type SampleLanguage = (typeof languages)[number][0]

export interface ExampleCall {
  /** The name of the operation, which our packages have as a method. */
  operationId?: string | undefined
  scheme: string
  method: string
  /** The path with parameters in braces. */
  path: string
  baseUrl: string
  token: string
  headers: string[]
  body: unknown
}

export const sampleOf = (language: SampleLanguage, call: ExampleCall): string => samples[language](call)

const samples: Record<SampleLanguage, (call: ExampleCall) => string> = {
  curl: (call) =>
    curlCommand(
      call,
      call.body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${shellQuoted(json(call.body))}`],
    ),
  node(given) {
    const { operationId, scheme, method, path, baseUrl, token, body } = given
    const isKey = scheme === 'apiKey'
    if (!isOfPackages(scheme)) return plainNode(given)
    const key = isKey ? token : 'YOUR_API_KEY'
    const client = `import { lendloom } from '@lendloom/server'\n\nconst client = lendloom({ baseUrl: '${baseUrl}', apiKey: '${key}' })`
    const text = body === undefined ? undefined : json(body)
    if (operationId === 'createSession')
      return `${client}\nconst { embedUrl, isNew } = await client.createSession(${text})`
    if (operationId === 'createWebhookEndpoint' || operationId === undefined) {
      const args = [`'${method}'`, `'${withPlaceholders(path)}'`, ...(text === undefined ? [] : [text])]
      return `${client}\nconst answer = await client.call(${args.join(', ')})`
    }
    const borrower = `${client}\n// The token pair of client.createHeadlessSession; it is renewed before it ends\nconst borrower = client.borrower({ tokens })`
    if (scheme === 'refreshToken') return borrower
    const params = namesIn(path)
      .map((name) => `${name}: '${withPlaceholders(`{${name}}`)}'`)
      .join(', ')
    const input = [
      ...(params ? [`params: { ${params} }`] : []),
      ...(text === undefined ? [] : [`body: ${indented(text)}`]),
    ]
    const args = input.length > 0 ? `{\n  ${input.join(',\n  ')},\n}` : ''
    if (isKey) return `${client}\nconst answer = await client.${operationId}(${args})`
    return `${borrower}\nconst answer = await borrower.${operationId}(${args})`
  },
  python(given) {
    const { operationId, scheme, method, path, baseUrl, token, body } = given
    const isKey = scheme === 'apiKey'
    if (!isOfPackages(scheme)) return plainPython(given)
    const client = `from lendloom import Client\n\nclient = Client("${baseUrl}", "${isKey ? token : 'YOUR_API_KEY'}")`
    const text = body === undefined ? undefined : pythonLiteral(body)
    if (operationId === 'createSession')
      return `${client}\nsession = client.create_session(${text})\nprint(session.embed_url, session.is_new)`
    if (operationId === 'createWebhookEndpoint' || operationId === undefined) {
      const args = [`"${method}"`, `"${withPlaceholders(path)}"`, ...(text === undefined ? [] : [text])]
      return `${client}\nprint(client.call(${args.join(', ')}))`
    }
    const borrower = `${client}\n# The token pair of client.create_headless_session; it is renewed before it ends\nborrower = client.borrower(tokens)`
    if (scheme === 'refreshToken') return borrower
    const params = namesIn(path).map((name) => `"${withPlaceholders(`{${name}}`)}"`)
    const call = `${snakeCase(operationId)}(${[...params, ...(text === undefined ? [] : [text])].join(', ')})`
    return isKey ? `${client}\nprint(client.${call})` : `${borrower}\nprint(borrower.${call})`
  },
}

export const formSample = (call: ExampleCall): string =>
  curlCommand(
    call,
    Object.entries(call.body ?? {}).map(
      ([name, value]) => `-F ${shellQuoted(`${name}=${name === 'file' ? '@' : ''}${value}`)}`,
    ),
  )

function curlCommand({ method, path, baseUrl, token, headers }: ExampleCall, bodyOptions: string[]): string {
  return [
    `curl ${baseUrl}${withPlaceholders(path)}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...(token === '' ? [] : [`-H ${shellQuoted(`Authorization: Bearer ${token}`)}`]),
    ...headers.map((name) => `-H ${shellQuoted(`${name}: ${headerValueOf(name)}`)}`),
    ...bodyOptions,
  ].join(' \\\n  ')
}

/** Whether our packages have a method for the call. Those of the partner exchange have other credentials. */
const isOfPackages = (scheme: string): boolean => ['apiKey', 'sessionToken', 'refreshToken'].includes(scheme)

function plainNode({ method, path, baseUrl, token, headers, body }: ExampleCall): string {
  const headerNames = [...headers, ...(body === undefined ? [] : ['Content-Type'])]
  return [
    `const response = await fetch('${baseUrl}${withPlaceholders(path)}', {`,
    `  method: '${method}',`,
    `  headers: {`,
    `    Authorization: 'Bearer ${token}',`,
    ...headerNames.map((name) => `    '${name}': '${headerValueOf(name)}',`),
    `  },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(json(body))}),`]),
    `})`,
    `console.log(response.status, await response.json())`,
  ].join('\n')
}

function plainPython({ method, path, baseUrl, token, headers, body }: ExampleCall): string {
  const headerNames = [...headers, ...(body === undefined ? [] : ['Content-Type'])]
  return [
    `import json\nfrom urllib.request import Request, urlopen\n`,
    `request = Request(`,
    `    "${baseUrl}${withPlaceholders(path)}",`,
    `    method="${method}",`,
    `    headers={`,
    `        "Authorization": "Bearer ${token}",`,
    ...headerNames.map((name) => `        "${name}": "${headerValueOf(name)}",`),
    `    },`,
    ...(body === undefined ? [] : [`    data=json.dumps(${indented(pythonLiteral(body), 4)}).encode(),`]),
    `)`,
    `with urlopen(request) as response:`,
    `    print(response.status, json.load(response))`,
  ].join('\n')
}

const namesIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** Writes `{journeyID}` as `JOURNEY_ID`, because curl interprets braces. */
const withPlaceholders = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())

const headerValueOf = (header: string): string =>
  header === 'Content-Type' ? 'application/json' : header === 'Idempotency-Key' ? 'once-for-each-act' : 'VALUE'

export const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const indented = (text: string, by = 2): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** Writes JSON as Python: replaces null, true and false outside strings. */
const pythonLiteral = (value: unknown): string =>
  json(value).replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (token) => ownValue(pythonWords, token) ?? token)
const pythonWords: Record<string, string> = { null: 'None', true: 'True', false: 'False' }
