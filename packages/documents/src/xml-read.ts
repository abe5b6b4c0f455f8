// Reads XML of other systems within limits, without a document type. Only this file uses the parser library.

import { lazily } from '@lendloom/foundation/lazily'
import { load } from '@lendloom/foundation/load-package'
import type * as sax from 'sax'

const saxLibrary = lazily((): typeof sax => load('sax'))

/** Why a file cannot be read. The message continues "the file cannot be read: ". */
export class FileFault extends Error {}

export interface XmlPosition {
  line: number
  column: number
}

export interface XmlHandler {
  open(name: string, attributes: Record<string, string>, position: XmlPosition): void
  text(text: string): void
  close(name: string): void
}

const parseOptions = { position: true, strictEntities: true }
const maxDepth = 32
/** The library checks the length of its tokens only between chunks. */
const chunkBytes = 64 << 10

/** Calls the handler for each element and text. Throws `FileFault` with the position of a fault. */
export function readXml(bytes: Uint8Array, handler: XmlHandler): void {
  const parser = saxLibrary().parser(true, parseOptions)
  const position = (): XmlPosition => ({ line: parser.line + 1, column: parser.column })
  const fail = (why: string): never => {
    const { line, column } = position()
    throw new FileFault(`line ${line}, column ${column}: ${why}`)
  }
  let depth = 0
  let roots = 0
  parser.onerror = ({ message }) => fail(`it is not valid XML: ${message.split('\n')[0]}`)
  parser.ondoctype = () => fail('it has a document type, which is not accepted')
  parser.onprocessinginstruction = ({ name, body }) => {
    const [, encoding = 'utf-8'] = /encoding\s*=\s*["']([^"']+)/i.exec(body) ?? []
    if (name === 'xml' && !/^(utf-?8|us-ascii)$/i.test(encoding)) fail(`its encoding is ${encoding}, not UTF-8`)
  }
  parser.onopentag = ({ name, attributes }) => {
    if (depth === 0 && ++roots > 1) fail('it has more than one root')
    if (++depth > maxDepth) fail(`it has more than ${maxDepth} levels`)
    handler.open(localName(name), textAttributes(attributes), position())
  }
  parser.ontext = handler.text
  parser.oncdata = handler.text
  parser.onclosetag = (name) => {
    depth--
    handler.close(localName(name))
  }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for (let at = 0; at < bytes.length; at += chunkBytes)
    parser.write(decodeWith(decoder, bytes.subarray(at, at + chunkBytes), () => fail('it is not UTF-8')))
  parser.close()
}

function decodeWith(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array, fail: () => never): string {
  try {
    return decoder.decode(bytes, { stream: true })
  } catch {
    return fail()
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const textAttributes = (attributes: sax.Tag['attributes'] | sax.QualifiedTag['attributes']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? value : value.value]),
  )

export interface XmlElement extends XmlPosition {
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlElement[]
}

/** Returns the root with everything in it, for a file that is small. */
export function readXmlTree(bytes: Uint8Array, maxElements: number): XmlElement {
  const top: XmlElement = { name: '', attributes: {}, text: '', children: [], line: 1, column: 0 }
  const stack = [top]
  let elements = 0
  readXml(bytes, {
    open(name, attributes, position) {
      if (++elements > maxElements) throw new FileFault(`it has more than ${maxElements} elements`)
      const element: XmlElement = { name, attributes, text: '', children: [], ...position }
      stack.at(-1)?.children.push(element)
      stack.push(element)
    },
    text(text) {
      const parent = stack.at(-1)
      if (parent) parent.text += text
    },
    close() {
      stack.pop()
    },
  })
  const [root] = top.children
  if (!root) throw new FileFault('it is empty')
  return root
}
