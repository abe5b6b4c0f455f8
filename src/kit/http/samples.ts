// Code that makes a call of the API, in the language that the reader chooses.
import { ownValue } from '#kit/runtime/record.ts'

export const languages = [
  ['curl', 'curl'],
  ['node', 'Node'],
  ['python', 'Python'],
] as const
export type SampleLanguage = (typeof languages)[number][0]

export interface ExampleCall {
  /** As `POST`. */
  method: string
  /** The path with parameters in braces. */
  path: string
  baseUrl: string
  /** The API key or token, or its placeholder. */
  token: string
  /** Whether it is an API key, so that our packages for servers make the call. */
  isKey: boolean
  /** Headers that the call must have. */
  headers: string[]
  /** Undefined where nothing is sent. */
  body: unknown
}

export const sampleOf = (language: SampleLanguage, call: ExampleCall): string => samples[language](call)

const samples: Record<SampleLanguage, (call: ExampleCall) => string> = {
  curl({ method, path, baseUrl, token, headers, body }) {
    const lines = [
      `curl ${baseUrl}${filled(path)}`,
      ...(method === 'GET' ? [] : [`-X ${method}`]),
      `-H ${quoted(`Authorization: Bearer ${token}`)}`,
      ...headers.map((name) => `-H ${quoted(`${name}: ${exampleOf(name)}`)}`),
      ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(json(body))}`]),
    ]
    return lines.join(' \\\n  ')
  },
  node(call) {
    const { method, path, baseUrl, token, isKey, headers, body } = call
    if (isKey) {
      const args = [`'${method}'`, `'${filled(path)}'`, ...(body === undefined ? [] : [json(body)])]
      return [
        `import { lendloom } from '@lendloom/server'\n`,
        `const client = lendloom({ baseUrl: '${baseUrl}', apiKey: '${token}' })`,
        isSession(call)
          ? `const { embedUrl, isNew } = await client.createSession(${json(body)})`
          : `const answer = await client.call(${args.join(', ')})`,
      ].join('\n')
    }
    const sent = body === undefined ? [] : [`body: JSON.stringify(${indented(json(body))}),`]
    const headerNames = [...headers, ...(body === undefined ? [] : ['Content-Type'])]
    return [
      `const response = await fetch('${baseUrl}${filled(path)}', {`,
      `  method: '${method}',`,
      `  headers: {`,
      `    Authorization: 'Bearer ${token}',`,
      ...headerNames.map((name) => `    '${name}': '${exampleOf(name)}',`),
      `  },`,
      ...sent.map((each) => `  ${each}`),
      `})`,
      `console.log(response.status, await response.json())`,
    ].join('\n')
  },
  python(call) {
    const { method, path, baseUrl, token, isKey, headers, body } = call
    if (isKey) {
      const args = [`"${method}"`, `"${filled(path)}"`, ...(body === undefined ? [] : [python(body)])]
      return [
        `from lendloom import Client\n`,
        `client = Client("${baseUrl}", "${token}")`,
        isSession(call)
          ? `session = client.create_session(${python(body)})\nprint(session.embed_url, session.is_new)`
          : `print(client.call(${args.join(', ')}))`,
      ].join('\n')
    }
    const headerNames = [...headers, ...(body === undefined ? [] : ['Content-Type'])]
    return [
      `import json\nfrom urllib.request import Request, urlopen\n`,
      `request = Request(`,
      `    "${baseUrl}${filled(path)}",`,
      `    method="${method}",`,
      `    headers={`,
      `        "Authorization": "Bearer ${token}",`,
      ...headerNames.map((name) => `        "${name}": "${exampleOf(name)}",`),
      `    },`,
      ...(body === undefined ? [] : [`    data=json.dumps(${indented(python(body), 4)}).encode(),`]),
      `)`,
      `with urlopen(request) as response:`,
      `    print(response.status, json.load(response))`,
    ].join('\n')
  },
}

const isSession = ({ method, path }: ExampleCall): boolean => method === 'POST' && path === '/api/lab/sessions'

/** `{journeyID}` as `JOURNEY_ID`, because curl interprets braces. */
const filled = (path: string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase())

const exampleOf = (header: string): string =>
  header === 'Content-Type' ? 'application/json' : header === 'Idempotency-Key' ? 'once-for-each-act' : 'VALUE'

/** For a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const json = (value: unknown): string => JSON.stringify(value, null, 2)
const indented = (text: string, by = 2): string => text.replaceAll('\n', `\n${' '.repeat(by)}`)

/** JSON's null, true and false outside of texts, for Python. */
const python = (value: unknown): string =>
  json(value).replaceAll(/"(?:[^"\\]|\\.)*"|\b(?:null|true|false)\b/g, (each) => ownValue(pythonWords, each) ?? each)
const pythonWords: Record<string, string> = { null: 'None', true: 'True', false: 'False' }
