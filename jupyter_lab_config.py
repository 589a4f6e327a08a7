"""How `make lab` and `make edit` start JupyterLab. The browser tests use the same file."""

import os
import sys

c = get_config()  # noqa: F821 - Jupyter puts it there

ANNOUNCEMENTS = "@jupyterlab/apputils-extension:announcements"


def without_announcements(handler, page_config):
    """Switch the plugin off that asks every new reader about news, and then fetches them."""
    page_config["disabledExtensions"] = [*page_config.get("disabledExtensions", ()), ANNOUNCEMENTS]
    return page_config


c.ServerApp.tornado_settings = {"page_config_hook": without_announcements}
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.extension_manager = "readonly"
c.LabApp.default_url = "/lab/tree/00_start.ipynb"

# Root is refused by default. In a container there is often no other user.
c.ServerApp.allow_root = hasattr(os, "geteuid") and os.geteuid() == 0

# Without a display the printed address is all there is.
c.ServerApp.open_browser = sys.platform in {"darwin", "win32"} or any(
    os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
)

# No language servers: looking for them delays the start and fills the log.
c.LanguageServerManager.autodetect = False

# Kernels and server talk over loopback. Where a kernel can encrypt that, it does, and doesn't warn.
c.KernelManager.transport_encryption = "auto"
