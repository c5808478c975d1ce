# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A headless Chromium, by the DevTools protocol through a pipe: nothing but the program is needed."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def find():
    """The program, or None. TILEIRAS_CHROMIUM names another one."""
    return os.environ.get("TILEIRAS_CHROMIUM") or next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Browser:
    """`errors` are the exceptions and messages of level error of the page that is open."""

    def __init__(self, program, width=1500, height=900, dark=False):
        self.profile = tempfile.TemporaryDirectory(prefix="tileiras-chromium-", ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def descriptors():
            a, b = os.dup(to_browser), os.dup(from_browser)
            os.dup2(a, 3)
            os.dup2(b, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars", f"--user-data-dir={self.profile.name}",
             "--remote-debugging-pipe", "about:blank"], preexec_fn=descriptors, close_fds=False, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.errors = b"", 0, []
        target = next(t for t in self.call("Target.getTargets", session=None)["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", session=None, targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def message(self, limit=30.0):
        end = time.monotonic() + limit
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, end - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise EOFError("the browser ended")
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\0")
        message = json.loads(text)
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif message.get("method") == "Runtime.consoleAPICalled" and message["params"]["type"] == "error":
            self.errors.append(str(message["params"]["args"]))
        elif message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.errors.append(message["params"]["entry"]["text"])
        return message

    def call(self, method, session=True, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if session:
            request["sessionId"] = self.session
        os.write(self.write_end, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def open(self, path, fragment="", ready="document.body && document.body.dataset.ready === 'true'"):
        """Opens a file; seconds until it is ready."""
        self.errors = []
        self.call("Page.navigate", url="about:blank")
        start = time.monotonic()
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri() + fragment)
        while not self.value(ready):
            if time.monotonic() - start > 30 or self.errors:
                raise AssertionError(f"the page does not get ready: {self.errors}")
            time.sleep(0.02)
        return time.monotonic() - start

    def value(self, expression):
        """The value of a JavaScript expression."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails'].get('exception', {}).get('description')}")
        return result["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def click(self, selector):
        box = self.value(f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'center'}}); "
                         "const r = e.getBoundingClientRect(); return [Math.max(r.x, 0) + Math.min(r.width, 120) / 2, r.y + r.height / 2]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def screenshot(self, path):
        """A picture, .png or .webp."""
        path = pathlib.Path(path)
        options = {"format": "webp", "quality": 85} if path.suffix == ".webp" else {"format": "png"}
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", **options)["data"]))

    def close(self):
        try:
            self.call("Browser.close", session=None)
        except (OSError, EOFError, TimeoutError, RuntimeError):
            pass
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()
