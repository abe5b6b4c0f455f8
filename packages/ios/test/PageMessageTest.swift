// Checks the parser of messages: compile.sh runs it on a computer, without iOS.
import Foundation

func checkMessages() {
    let known: [(String, PageMessage)] = [
        (#"{"type":"lab.ready"}"#, .ready),
        (#"{"type":"lab.session_expired"}"#, .sessionExpired),
        (#"{"type":"lab.exit"}"#, .exit),
        (#"{"type":"lab.error","code":"BUSY","retryable":true}"#, .error(code: "BUSY", retryable: true)),
        (#"{"type":"lab.open","url":"https://lender.example/kyc"}"#, .open(URL(string: "https://lender.example/kyc")!)),
        (
            #"{"borrower":{"journey":{"status":"STARTED"}}}"#,
            .update(status: "STARTED", json: #"{"borrower":{"journey":{"status":"STARTED"}}}"#)
        ),
    ]
    let ignored = [
        "", "null", "7", "[]", "{", "{}", #""lab.exit""#, #"{"type":"lab.resize","height":900}"#, #"{"type":7}"#,
        #"{"type":null}"#, #"{"type":"lab.error"}"#, #"{"type":"lab.error","code":7}"#, #"{"type":"lab.open"}"#,
        #"{"type":"lab.open","url":"javascript:alert(1)"}"#, #"{"type":"lab.open","url":"https:"}"#,
        #"{"type":"lab.open","url":["https://a.example"]}"#, #"{"type":"lab.exit","borrower":{}}"#,
        #"{"type":"lab.exit","borrower":null}"#, #"{"borrower":{"journey":{"status":7}}}"#, #"{"borrower":[]}"#,
        String(repeating: #"{"a":"#, count: 100_000),
    ]
    for (text, message) in known { precondition(PageMessage.parse(text) == message, text) }
    for text in ignored { precondition(PageMessage.parse(text) == nil, text) }
    print("\(known.count + ignored.count) messages were parsed as expected")
}
