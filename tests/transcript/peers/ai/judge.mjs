// A line of UI messages in, a line out: null, or what the SDK says against them.
// They go the whole way to a model's prompt, since the pairing is checked on the last leg;
// and what is stored is often validated before it's used again.
import { createInterface } from "node:readline";
import { convertToModelMessages, generateText, validateUIMessages } from "ai";
import * as mocks from "ai/test";

const [name] = Object.keys(mocks).filter((key) => key.startsWith("MockLanguageModel")).sort().reverse();
const model = new mocks[name]({
  doGenerate: async () => ({
    content: [{ type: "text", text: "fine" }],
    finishReason: { unified: "stop", raw: "stop" },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
});

for await (const line of createInterface({ input: process.stdin })) {
  let verdict = null;
  try {
    const told = JSON.parse(line);
    const messages = await convertToModelMessages(told);
    await generateText({ model, messages });
    await validateUIMessages({ messages: told });
  } catch (error) {
    verdict = `${error.name}: ${error.message}`;
  }
  process.stdout.write(JSON.stringify(verdict) + "\n");
}
