// Markdown that we wrote ourselves, as HTML. Not for what comes from outside: markup in it is kept.
import type * as marked from 'marked'
import { lazily } from '#kit/runtime/lazily.ts'
import { load } from '#kit/runtime/load.ts'
import { Html } from './markup.ts'

const library = lazily((): typeof marked => load('marked'))

/** Headings begin at `from`, so that a text fits below a heading of the page. */
export function markdown(text: string, from = 3): Html {
  const { Lexer, Parser } = library()
  return new Html(
    Parser.parse(Lexer.lex(text))
      .replace(/<(\/?)h(\d)>/g, (_, slash, level) => `<${slash}h${Math.min(6, Number(level) + from - 1)}>`)
      // A table or an example that is wider than a phone is scrolled, also by keyboard.
      .replace(/<(pre|table)>/g, '<div class="wide" tabindex="0"><$1>')
      .replace(/<\/(pre|table)>/g, '</$1></div>'),
  )
}

/** One line, without a paragraph around it. */
export function markdownLine(text: string): Html {
  const { Lexer, Parser } = library()
  return new Html(Parser.parseInline(Lexer.lexInline(text)))
}
