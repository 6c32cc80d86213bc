// Starts Nacos 3.x alone, without its console, in the order of its own main class. What it is told comes as system properties.

package com.alibaba.nacos;

import com.alibaba.nacos.core.listener.startup.NacosStartUp;
import com.alibaba.nacos.core.listener.startup.NacosStartUpManager;
import com.alibaba.nacos.sys.env.DeploymentType;
import com.alibaba.nacos.sys.env.EnvUtil;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

public class StandaloneServer {

    public static void main(String[] args) throws SQLException {
        openDatabase();
        EnvUtil.setDeploymentType(DeploymentType.SERVER);
        NacosStartUpManager.start(NacosStartUp.CORE_START_UP_PHASE);
        ConfigurableApplicationContext core = new SpringApplicationBuilder(NacosServerBasicApplication.class)
            .web(WebApplicationType.NONE)
            .run(args);
        NacosStartUpManager.start(NacosStartUp.WEB_START_UP_PHASE);
        new SpringApplicationBuilder(NacosServerWebApplication.class).parent(core).run(args);
    }

    /** Nacos gives the embedded database 10 s to be created, which a busy machine exceeds; one that is open is there at once. */
    private static void openDatabase() throws SQLException {
        Path folder = Path.of(System.getProperty("nacos.home"), "data", "derby-data");
        DriverManager.getConnection("jdbc:derby:" + folder + ";create=true").close();
    }
}
